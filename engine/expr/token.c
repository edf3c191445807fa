#include "engine/expr/token.h"

#include <string.h>

#include "engine/base/utf8.h"

static bool is_space(uint8_t byte)
{
    return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n';
}

static bool is_digit(uint8_t byte)
{
    return byte >= '0' && byte <= '9';
}

static bool is_letter(uint8_t byte)
{
    return (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z');
}

static bool is_word_part(uint8_t byte)
{
    return is_letter(byte) || is_digit(byte) || byte == '_';
}

/* Where the run of bytes of this kind ends that begins at `at`. */
static size_t run_end(sheaf_bytes text, size_t at, bool (*belongs)(uint8_t))
{
    while (at < text.size && belongs(text.data[at])) at++;
    return at;
}

/* How long the sign at the start of `rest` is; 0: it is none. */
static size_t sign_size(sheaf_bytes rest)
{
    if (!memchr("=<>+-()[],.", rest.data[0], 11)) return 0;
    if (rest.size == 1) return 1;
    bool is_pair = (rest.data[0] == '<' && (rest.data[1] == '=' || rest.data[1] == '>')) ||
                   (rest.data[0] == '>' && rest.data[1] == '=');
    return is_pair ? 2 : 1;
}

static struct sheaf_token make_token(sheaf_bytes text, enum sheaf_token_kind kind, size_t at, size_t end)
{
    return (struct sheaf_token){ .kind = kind, .at = at, .text = sheaf_bytes_of(text.data + at, end - at) };
}

/* # or :, and what follows it. */
static struct sheaf_token read_placeholder(sheaf_bytes text, size_t at)
{
    size_t end = run_end(text, at + 1, is_word_part);
    if (end == at + 1) return make_token(text, SHEAF_TOKEN_ILLEGAL, at, end);
    return make_token(text, text.data[at] == '#' ? SHEAF_TOKEN_NAME : SHEAF_TOKEN_VALUE, at, end);
}

struct sheaf_token sheaf_token_read(sheaf_bytes text, size_t at)
{
    at = run_end(text, at, is_space);
    if (at == text.size) return (struct sheaf_token){ .kind = SHEAF_TOKEN_END, .at = at };
    uint8_t first = text.data[at];
    if (is_letter(first)) return make_token(text, SHEAF_TOKEN_WORD, at, run_end(text, at, is_word_part));
    if (is_digit(first)) return make_token(text, SHEAF_TOKEN_DIGITS, at, run_end(text, at, is_digit));
    if (first == '#' || first == ':') return read_placeholder(text, at);
    sheaf_bytes rest = sheaf_bytes_skip(text, at);
    size_t size = sign_size(rest);
    if (size > 0) return make_token(text, SHEAF_TOKEN_SIGN, at, at + size);
    size = sheaf_utf8_character_size(rest);
    return make_token(text, SHEAF_TOKEN_ILLEGAL, at, at + (size > 0 ? size : 1));
}

size_t sheaf_token_count(sheaf_bytes text)
{
    size_t count = 0;
    for (struct sheaf_token token = sheaf_token_read(text, 0); token.kind != SHEAF_TOKEN_END;
         token = sheaf_token_read(text, sheaf_token_end(&token)))
        count++;
    return count;
}

bool sheaf_token_is_sign(const struct sheaf_token *token, const char *sign)
{
    return token->kind == SHEAF_TOKEN_SIGN && sheaf_bytes_equal(token->text, sheaf_bytes_of(sign, strlen(sign)));
}

bool sheaf_token_is_word(const struct sheaf_token *token, const char *word)
{
    if (token->kind != SHEAF_TOKEN_WORD || token->text.size != strlen(word)) return false;
    for (size_t i = 0; i < token->text.size; i++)
        if (is_letter(token->text.data[i]) ? (token->text.data[i] & 0xDF) != (uint8_t)word[i]
                                           : token->text.data[i] != (uint8_t)word[i])
            return false;
    return true;
}
