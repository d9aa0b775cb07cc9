/* Strict reading of the scalars of a YAML configuration. Layer: engine/cli (willow_program). */
#ifndef WILLOW_CLI_YAML_SCALARS_H
#define WILLOW_CLI_YAML_SCALARS_H

#include <stddef.h>

#include <cyaml/cyaml.h>

#include <willow/status.h>

/* Checks every scalar of a document that libcyaml has loaded by the same schema; path stands for the file in errors.
 * WILLOW_ERR_FORMAT with line, column and key; WILLOW_ERR_MEMORY. */
enum willow_status yaml_scalars_check(const char *path, const unsigned char *data, size_t size,
                                      const cyaml_schema_value_t *schema, struct willow_error *error);

#endif
