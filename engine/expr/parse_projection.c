#include "engine/expr/parser.h"

/* path , path ... */
sheaf_status sheaf_parse_projection(struct sheaf_expr_parser *parser)
{
    struct sheaf_expression *draft = parser->draft;
    do {
        struct sheaf_expr_action action = { .section = SHEAF_SECTION_SET, .value = SHEAF_EXPR_NONE };
        sheaf_status status = sheaf_parser_path(parser, &action.target);
        if (status != SHEAF_OK) return status;
        draft->actions[draft->action_count++] = action;
    } while (sheaf_parser_take_sign(parser, ","));
    return parser->token.kind == SHEAF_TOKEN_END ? SHEAF_OK : sheaf_parser_refuse_token(parser);
}
