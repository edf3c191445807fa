/*
 * token.h - the text of an expression as tokens.
 *
 *     SET  #a . b [ 10 ]  =  if_not_exists ( c , :zero )  +  :one
 *     word name . word [ digits ] = word ( word , value ) + value
 *
 * Space, tab, CR and LF may stand between any two tokens and in none. There is always a next token: behind the last one
 * the end, and a byte that begins nothing is a token of its own, which no grammar takes. So a lexer cannot fail.
 */
#ifndef SHEAF_EXPR_TOKEN_H
#define SHEAF_EXPR_TOKEN_H

#include <stdbool.h>
#include <stdint.h>

#include <sheaf/bytes.h>

enum sheaf_token_kind {
    SHEAF_TOKEN_END = 0,
    SHEAF_TOKEN_WORD,  /* letter, then letters, digits and _ */
    SHEAF_TOKEN_NAME,  /* # and at least one of those */
    SHEAF_TOKEN_VALUE, /* : and at least one of those */
    SHEAF_TOKEN_DIGITS,
    SHEAF_TOKEN_SIGN,   /* = <> < <= > >= + - ( ) [ ] , . */
    SHEAF_TOKEN_ILLEGAL /* a character that begins none of these */
};

struct sheaf_token {
    enum sheaf_token_kind kind;
    size_t at; /* where it begins in the text */
    sheaf_bytes text;
};

/* The first token from `at` on. */
struct sheaf_token sheaf_token_read(sheaf_bytes text, size_t at);

/* How many tokens there are, the end not counted. */
size_t sheaf_token_count(sheaf_bytes text);

static inline size_t sheaf_token_end(const struct sheaf_token *token)
{
    return token->at + token->text.size;
}

/* Whether the token is this sign, given as a string. */
bool sheaf_token_is_sign(const struct sheaf_token *token, const char *sign);

/* Whether the token is a word like this one, given in capitals; small letters and capitals are alike. */
bool sheaf_token_is_word(const struct sheaf_token *token, const char *word);

#endif
