/* Figures drawn by gnuplot, with what it was told beside them. gnuplot runs in the folder, as a
 * user would who changes a script and runs it again; without settings of the user's, so that
 * everybody gets the same picture. */
#include "figure/folder.h"
#include "figure/gnuplot_script.h"

#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_AT_ONCE = 200, MOST_MESSAGE = 4096, MOST_TAIL = 64 };

extern char **environ;

const char *arc_picture_format_name(int index)
{
    static const char *const names[] = {"svg", "pdf", "png"};
    return index >= 0 && index < 3 ? names[index] : NULL;
}

static ArcStatus save(ArcText *text, const char *path, ArcError *err)
{
    char *bytes = NULL;
    ArcStatus status = arc_text_finish(text, &bytes, err);
    if (status == ARC_OK)
        status = arc_file_replace(path, bytes, strlen(bytes), err);
    arc_text_free(bytes);
    return status;
}

/* Script and data of a figure; a picture from before goes, so that what is there is the new one. */
static ArcStatus write_figure(ArcArena *arena, const ArcFigure *figure, const char *folder,
                              ArcGnuplotFiles *files, ArcError *err)
{
    ArcText text = {0};
    const char *ending = arc_picture_format_name((int)files->format);
    files->script = arc_figure_path(arena, figure, NULL, "gp");
    files->data = arc_figure_path(arena, figure, NULL, "dat");
    files->picture = arc_figure_path(arena, figure, NULL, ending);
    const char *script = arc_figure_path(arena, figure, folder, "gp");
    const char *data = arc_figure_path(arena, figure, folder, "dat");
    const char *picture = arc_figure_path(arena, figure, folder, ending);
    if (picture == NULL || arc_arena_is_exhausted(arena))
        return arc_error_no_memory(err);
    if (unlink(picture) != 0 && errno != ENOENT)
        return arc_error_set(err, ARC_SYSTEM, "error: cannot write '%.400s': %s", picture,
                             strerror(errno));
    arc_gnuplot_data(&text, figure, files->units);
    ArcStatus status = save(&text, data, err);
    if (status != ARC_OK)
        return status;
    arc_gnuplot_script(&text, figure, files);
    return save(&text, script, err);
}

/* The last line of what gnuplot says is why it stopped; warnings may stand before. */
static void read_complaint(int messages, char line[MOST_MESSAGE])
{
    off_t size = lseek(messages, 0, SEEK_END);
    off_t from = size > MOST_MESSAGE - 1 ? size - (MOST_MESSAGE - 1) : 0;
    ssize_t n = pread(messages, line, MOST_MESSAGE - 1, from);
    line[n > 0 ? n : 0] = '\0';
    while (n > 0 && line[n - 1] == '\n')
        line[--n] = '\0';
    char *last = strrchr(line, '\n');
    if (last != NULL)
        memmove(line, last + 1, strlen(last));
}

/* Starts gnuplot in folder; 0, or the reason as an errno. */
static int start(const char *folder, char *const *words, int messages, pid_t *child)
{
    posix_spawn_file_actions_t actions;
    int reason = posix_spawn_file_actions_init(&actions);
    if (reason != 0)
        return reason;
    reason = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    if (reason == 0)
        reason = posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    if (reason == 0)
        reason = posix_spawn_file_actions_adddup2(&actions, messages, 2);
    if (reason == 0)
        reason = posix_spawn_file_actions_addchdir_np(&actions, folder);
    if (reason == 0)
        reason = posix_spawnp(child, words[0], &actions, NULL, words, environ);
    posix_spawn_file_actions_destroy(&actions);
    return reason;
}

static ArcStatus run(const char *folder, char *const *words, ArcError *err)
{
    pid_t child = 0;
    int ended = 0;
    char complaint[MOST_MESSAGE];
    int messages = memfd_create("gnuplot", MFD_CLOEXEC);
    if (messages < 0)
        return arc_error_set(err, ARC_SYSTEM, "error: cannot run gnuplot: %s", strerror(errno));
    int reason = start(folder, words, messages, &child);
    while (reason == 0 && waitpid(child, &ended, 0) < 0)
        reason = errno == EINTR ? 0 : errno;
    read_complaint(messages, complaint);
    close(messages);
    if (reason == ENOENT)
        return arc_error_set(err, ARC_SYSTEM,
                             "error: there is no gnuplot to draw the figures; scripts and data are "
                             "in '%.300s': install gnuplot, then run `gnuplot *.gp` there",
                             folder);
    if (reason != 0)
        return arc_error_set(err, ARC_SYSTEM, "error: cannot run gnuplot: %s", strerror(reason));
    if (WIFEXITED(ended) && WEXITSTATUS(ended) == 0)
        return ARC_OK;
    if (WIFSIGNALED(ended))
        return arc_error_set(err, ARC_SYSTEM, "error: gnuplot was ended in '%.300s': %s", folder,
                             strsignal(WTERMSIG(ended)));
    return arc_error_set(err, ARC_SYSTEM, "error: gnuplot failed in '%.300s': %.400s", folder,
                         complaint[0] == '\0' ? "it says nothing of why" : complaint);
}

/* gnuplot does not say when the disk is full: a picture is whole when it ends as its format does.
 */
static ArcStatus check_picture(const char *path, ArcPictureFormat format, ArcError *err)
{
    static const char *const ends[] = {"</svg>", "%%EOF", "IEND"};
    char tail[MOST_TAIL];
    size_t length = strlen(ends[format]);
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    off_t size = descriptor < 0 ? 0 : lseek(descriptor, 0, SEEK_END);
    ssize_t n = size <= 0
                    ? 0
                    : pread(descriptor, tail, sizeof tail, size > MOST_TAIL ? size - MOST_TAIL : 0);
    if (descriptor >= 0)
        close(descriptor);
    if (n > 0 && memmem(tail, (size_t)n, ends[format], length) != NULL)
        return ARC_OK;
    return arc_error_set(err, ARC_SYSTEM,
                         "error: gnuplot did not write '%.400s' to its end; is the disk full?",
                         path);
}

static ArcStatus draw(ArcArena *arena, const ArcFigures *figures, const char *folder,
                      ArcPictureFormat format, ArcError *err)
{
    ArcStatus status = ARC_OK;
    for (int first = 0; first < figures->n && status == ARC_OK; first += MOST_AT_ONCE) {
        char program[] = "gnuplot", plain[] = "--default-settings";
        char *words[MOST_AT_ONCE + 3] = {program, plain};
        for (int i = 0; i < MOST_AT_ONCE && first + i < figures->n; i++)
            words[2 + i] = arc_figure_path(arena, &figures->figures[first + i], NULL, "gp");
        if (arc_arena_is_exhausted(arena))
            return arc_error_no_memory(err);
        status = run(folder, words, err);
    }
    for (int i = 0; i < figures->n && status == ARC_OK; i++) {
        const char *path = arc_figure_path(arena, &figures->figures[i], folder,
                                           arc_picture_format_name((int)format));
        status = path == NULL ? arc_error_no_memory(err) : check_picture(path, format, err);
    }
    return status;
}

ArcStatus arc_figures_write_gnuplot(const ArcFigures *figures, const char *folder,
                                    ArcPictureFormat format, ArcUnits units, ArcError *err)
{
    ArcArena *arena = arc_arena_create();
    ArcGnuplotFiles files = {.format = format, .units = units};
    if (arena == NULL)
        return arc_error_no_memory(err);
    ArcStatus status = arc_figure_make_folder(folder, err);
    for (int i = 0; i < figures->n && status == ARC_OK; i++)
        status = write_figure(arena, &figures->figures[i], folder, &files, err);
    if (status == ARC_OK)
        status = draw(arena, figures, folder, format, err);
    arc_arena_free(arena);
    return status;
}
