/* Runs a harness over stored inputs, without libFuzzer: what every build and compiler can do. Arguments: files, and
 * folders of files.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "fuzz/fuzz.h"
#include "support/require.h"

static int run_file(const char *path)
{
    struct stat about;
    FILE *file = fopen(path, "rb");
    require(file != NULL && fstat(fileno(file), &about) == 0, path);
    /* Of exactly that size, as libFuzzer gives it. */
    const size_t size = (size_t)about.st_size;
    uint8_t *data = malloc(size > 0 ? size : 1);
    require(data != NULL && fread(data, 1, size, file) == size, path);
    (void)fclose(file);
    /* The last line of a run that ends here names the input. */
    (void)fprintf(stderr, "%s\n", path);
    (void)LLVMFuzzerTestOneInput(data, size);
    free(data);
    return 1;
}

static int run_folder(const char *path)
{
    struct dirent **entries;
    const int count = scandir(path, &entries, NULL, alphasort);
    int runs = 0;
    require(count >= 0, path);
    for (int i = 0; i < count; i++) {
        char name[4096];
        const int length = snprintf(name, sizeof name, "%s/%s", path, entries[i]->d_name);
        require(length > 0 && (size_t)length < sizeof name, path);
        if (entries[i]->d_name[0] != '.')
            runs += run_file(name);
        free(entries[i]);
    }
    free(entries);
    return runs;
}

int main(int argc, char **argv)
{
    int runs = 0;
    for (int i = 1; i < argc; i++) {
        struct stat about;
        require(stat(argv[i], &about) == 0, argv[i]);
        runs += S_ISDIR(about.st_mode) ? run_folder(argv[i]) : run_file(argv[i]);
    }
    require(runs > 0, "no inputs");
    printf("%d inputs\n", runs);
    return 0;
}
