#include "bench/json.h"

#include <inttypes.h>

#include "bench/figures.h"
#include "bench/peers/peer.h"

static void write_line(const struct report *report, const struct workload *workload, const struct result *result, unsigned i)
{
    const struct engine_result *engine = &result->engines[i];
    const struct operation *operation = result->prepared->operation;
    const struct options *options = report->options;
    struct spread ns = spread_of(engine->ns, options->runs), canary = spread_of(result->canary_ns, options->runs);
    FILE *out = report->json;
    bool hold = operation->kind == OPERATION_HOLD;
    fprintf(out, "{\"bench\":\"%s\",\"shape\":\"%s\",\"op\":\"%s\",\"engine\":\"%s\"", operation->bench,
            shape_letter(workload->shape), operation->name, report->engines[i]->name);
    if (report->bench->counted) {
        fprintf(out, ",\"ns_per_op\":null");
    } else {
        fprintf(out, ",\"ns_per_op\":%.2f", ns.median);
    }
    fprintf(out, ",\"entries_per_op\":%.3f,\"bytes_per_entry\":%.2f",
            operation_writes(operation) ? 1.0 : entries_per_operation(engine), bytes_per_entry(workload, result, engine));
    if (engine->instructions >= 0) {
        fprintf(out, ",\"instructions_per_op\":%.1f,\"instructions_entry_count\":%u", engine->instructions,
                engine->instructions_count);
    } else {
        fprintf(out, ",\"instructions_per_op\":null");
    }
    fprintf(out, ",\"runs\":%u,\"ns_min\":%.2f,\"ns_max\":%.2f", options->runs, ns.least, ns.most);
    if (operation->kind == OPERATION_MIX) {
        fprintf(out, ",\"threads\":%u,\"cpu_ns_per_op\":%.2f", operation->threads,
                spread_of(engine->cpu_ns, options->runs).median);
    }
    if (hold) {
        fprintf(out, ",\"overhead_per_entry\":%.2f,\"resident_per_entry\":%.2f",
                per_entry(engine->last.held_bytes, workload) - payload_per_entry(workload),
                per_entry(engine->last.resident_bytes, workload));
    }
    fprintf(out, ",\"entry_count\":%u,\"collection_count\":%u,\"value_size\":%zu,\"batch\":%" PRIu64, workload->count,
            workload->collection_count, workload->value_size, engine->last.operations);
    fprintf(out, ",\"canary_ns\":%.1f,\"canary_min\":%.1f,\"canary_max\":%.1f,\"huge_pages\":%s", canary.median, canary.least,
            canary.most, options->huge_pages ? "true" : "false");
    fprintf(out, ",\"checksum\":\"%016" PRIx64 "\",\"title\":\"%s\"}\n", engine->last.checksum.sum, operation->title);
}

void json_write(const struct report *report, const struct workload *workload, const struct result *results, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        for (unsigned engine = 0; engine < report->engine_count; engine++) {
            if (!results[i].engines[engine].absent) write_line(report, workload, &results[i], engine);
        }
    }
}
