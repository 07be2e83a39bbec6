/* Superblock, object headers, groups. See hdf5_image.h; sections in brackets
 * are the specification's. */
#include "io/hdf5_image.h"

#include <string.h>

/* Types of header messages [IV.A.2]. */
enum { MESSAGE_LINK = 0x06, MESSAGE_CONTINUATION = 0x10, MESSAGE_TABLE = 0x11 };

enum {
    FIRST_USER_BLOCK = 512,
    MOST_CONTINUATIONS = 256,
    MOST_DEPTH = 32, /* of a tree */

    WORK = 20000000
};

static const unsigned char signature[] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};

const unsigned char *arc_hdf5_image_at(const ArcHdf5Image *image, uint64_t address, uint64_t n)
{
    if (address > image->size || n > image->size - address)
        return NULL;
    return image->bytes + address;
}

bool arc_hdf5_image_work(ArcHdf5Image *image, long steps)
{
    if (steps < 0 || steps > image->work) {
        image->work = 0;
        return false;
    }
    image->work -= steps;
    return true;
}

static ArcHdf5Cursor cursor_at(const ArcHdf5Image *image, uint64_t address, uint64_t n)
{
    const unsigned char *at = arc_hdf5_image_at(image, address, n);
    if (at == NULL)
        return (ArcHdf5Cursor){image->bytes, image->bytes, true};
    return (ArcHdf5Cursor){at, at + n, false};
}

/* From address to the end of the file. */
static ArcHdf5Cursor cursor_from(const ArcHdf5Image *image, uint64_t address)
{
    return cursor_at(image, address, address > image->size ? 0 : image->size - address);
}

static bool is_next(ArcHdf5Cursor *cursor, const char *mark)
{
    const unsigned char *bytes = arc_hdf5_take(cursor, 4);
    return bytes != NULL && memcmp(bytes, mark, 4) == 0;
}

/* [II] Only addresses and lengths of 8 bytes, which all of today's machines write. */
static bool read_superblock(ArcHdf5Image *image)
{
    ArcHdf5Cursor cursor = cursor_at(image, 0, image->size);
    arc_hdf5_take(&cursor, sizeof signature);
    unsigned version = (unsigned)arc_hdf5_number_of(&cursor, 1);
    if (version > 3)
        return false;
    if (version < 2)
        arc_hdf5_take(&cursor, 4);
    unsigned offset_size = (unsigned)arc_hdf5_number_of(&cursor, 1);
    unsigned length_size = (unsigned)arc_hdf5_number_of(&cursor, 1);
    if (offset_size != 8 || length_size != 8)
        return false;
    if (version < 2) {
        /* Sizes of the trees' nodes, flags, the addresses' base and three more addresses; then the
         * entry of the root: its name, then its header. */
        arc_hdf5_take(&cursor, version == 0 ? 9 : 13);
        arc_hdf5_take(&cursor, 4 * 8 + 8);
    } else {
        arc_hdf5_take(&cursor, 1 + 3 * 8);
    }
    image->root = arc_hdf5_number_of(&cursor, 8);
    return !cursor.failed;
}

bool arc_hdf5_image_open(const unsigned char *bytes, size_t size, ArcHdf5Image *image)
{
    for (size_t at = 0; at < size && size - at > sizeof signature;
         at = at == 0 ? FIRST_USER_BLOCK : 2 * at) {
        if (memcmp(bytes + at, signature, sizeof signature) == 0) {
            *image = (ArcHdf5Image){.bytes = bytes + at, .size = size - at, .work = WORK};
            return read_superblock(image);
        }
    }
    return false;
}

/* A walk through an object header: of version 2 messages have shorter heads, which hold the order
 * of creation where they are ordered; the chunks that are still to be looked at. */
typedef struct Chunks {
    int version;
    bool ordered;
    ArcHdf5Visit visit;
    void *context;
    int n, next;
    uint64_t address[MOST_CONTINUATIONS], size[MOST_CONTINUATIONS];
} Chunks;

static bool note_continuation(Chunks *chunks, ArcHdf5Message *message)
{
    if (chunks->n == MOST_CONTINUATIONS)
        return false;
    chunks->address[chunks->n] = arc_hdf5_number_of(&message->data, 8);
    chunks->size[chunks->n++] = arc_hdf5_number_of(&message->data, 8);
    return !message->data.failed;
}

/* The messages in one chunk. False: the visit wants no more, or damage. */
static bool visit_chunk(ArcHdf5Image *image, ArcHdf5Cursor cursor, Chunks *chunks)
{
    int version = chunks->version;
    bool ordered = chunks->ordered;
    size_t head = version == 1 ? 8 : ordered ? 6 : 4;
    while (arc_hdf5_left(&cursor) >= head) {
        ArcHdf5Message message = {.type =
                                      (unsigned)arc_hdf5_number_of(&cursor, version == 1 ? 2 : 1)};
        uint64_t size = arc_hdf5_number_of(&cursor, 2);
        message.is_shared = (arc_hdf5_number_of(&cursor, 1) & 2) != 0;
        arc_hdf5_take(&cursor, version == 1 ? 3 : ordered ? 2 : 0);
        const unsigned char *data = arc_hdf5_take(&cursor, size);
        if (data == NULL || !arc_hdf5_image_work(image, 1))
            return false;
        message.data = (ArcHdf5Cursor){data, data + size, false};
        bool goes_on = message.type == MESSAGE_CONTINUATION
                           ? note_continuation(chunks, &message)
                           : chunks->visit(chunks->context, &message);
        if (!goes_on)
            return false;
    }
    return true;
}

/* [IV.A.1.b] The head of a version 2 header; the cursor behind it and its first chunk's size. */
static uint64_t read_second_head(ArcHdf5Cursor *cursor, bool *ordered)
{
    arc_hdf5_take(cursor, 5); /* OHDR, version */
    unsigned flags = (unsigned)arc_hdf5_number_of(cursor, 1);
    arc_hdf5_take(cursor, (flags & 0x20 ? 16 : 0) + (flags & 0x10 ? 4 : 0));
    *ordered = (flags & 4) != 0;
    return arc_hdf5_number_of(cursor, 1 << (flags & 3));
}

bool arc_hdf5_image_visit(ArcHdf5Image *image, uint64_t address, ArcHdf5Visit visit, void *context)
{
    ArcHdf5Cursor cursor = cursor_from(image, address);
    const unsigned char *mark = arc_hdf5_image_at(image, address, 5);
    if (mark == NULL)
        return false;
    Chunks chunks = {
        .version = memcmp(mark, "OHDR", 4) == 0 ? 2 : 1, .visit = visit, .context = context};
    uint64_t size;
    if (chunks.version == 2) {
        if (mark[4] != 2)
            return false;
        size = read_second_head(&cursor, &chunks.ordered);
    } else {
        if (mark[0] != 1)
            return false;
        arc_hdf5_take(&cursor, 8); /* version, number of messages, references */
        size = arc_hdf5_number_of(&cursor, 4);
        arc_hdf5_take(&cursor, 4);
    }
    const unsigned char *first = arc_hdf5_take(&cursor, size);
    if (first == NULL)
        return false;
    bool goes_on = visit_chunk(image, (ArcHdf5Cursor){first, first + size, false}, &chunks);
    while (goes_on && chunks.next < chunks.n) {
        cursor = cursor_at(image, chunks.address[chunks.next], chunks.size[chunks.next]);
        chunks.next++;
        if (chunks.version == 2) { /* between its mark and its checksum */
            if (!is_next(&cursor, "OCHK") || arc_hdf5_left(&cursor) < 4)
                return true;
            cursor.end -= 4;
        }
        if (cursor.failed)
            return true;
        goes_on = visit_chunk(image, cursor, &chunks);
    }
    return true;
}

/* A member of a group; true: wants the next. */
typedef bool (*LinkVisit)(void *context, const char *name, size_t length, uint64_t address);

typedef struct Links {
    ArcHdf5Image *image;
    LinkVisit visit;
    void *context;
    bool goes_on, has_table;
    uint64_t tree, heap;
    ArcHdf5Cursor names; /* of the symbol table's heap */
} Links;

/* [III.C] The entries of one leaf of a symbol table; soft links are passed over. */
static bool visit_leaf(Links *links, uint64_t address)
{
    enum { NAMED_ELSEWHERE = 2 };
    ArcHdf5Cursor cursor = cursor_from(links->image, address);
    if (!is_next(&cursor, "SNOD"))
        return true;
    arc_hdf5_take(&cursor, 2);
    uint64_t n = arc_hdf5_number_of(&cursor, 2);
    for (uint64_t i = 0; i < n && links->goes_on; i++) {
        uint64_t offset = arc_hdf5_number_of(&cursor, 8);
        uint64_t header = arc_hdf5_number_of(&cursor, 8);
        uint64_t cache = arc_hdf5_number_of(&cursor, 4);
        arc_hdf5_take(&cursor, 20);
        size_t room = arc_hdf5_left(&links->names);
        if (cursor.failed || !arc_hdf5_image_work(links->image, 1))
            return false;
        if (offset >= room || cache == NAMED_ELSEWHERE)
            continue;
        const char *name = (const char *)links->names.at + offset;
        size_t length = strnlen(name, room - offset);
        if (length < room - offset && length > 0)
            links->goes_on = links->visit(links->context, name, length, header);
    }
    return links->goes_on;
}

/* [III.A.1] A tree of leaves; each level below one is lower, so that it ends. */
static bool visit_tree(Links *links, uint64_t address, int most_level)
{
    ArcHdf5Cursor cursor = cursor_from(links->image, address);
    if (!is_next(&cursor, "TREE") || arc_hdf5_number_of(&cursor, 1) != 0)
        return true;
    int level = (int)arc_hdf5_number_of(&cursor, 1);
    uint64_t n = arc_hdf5_number_of(&cursor, 2);
    arc_hdf5_take(&cursor, 2 * 8 + 8);
    if (cursor.failed || level > most_level)
        return true;
    for (uint64_t i = 0; i < n; i++) {
        uint64_t child = arc_hdf5_number_of(&cursor, 8);
        arc_hdf5_take(&cursor, 8);
        if (cursor.failed || !arc_hdf5_image_work(links->image, 1))
            return false;
        if (!(level == 0 ? visit_leaf(links, child) : visit_tree(links, child, level - 1)))
            return false;
    }
    return true;
}

/* [IV.A.2.g] */
static bool visit_link(Links *links, ArcHdf5Cursor *data)
{
    arc_hdf5_take(data, 1);
    unsigned flags = (unsigned)arc_hdf5_number_of(data, 1);
    unsigned kind = flags & 8 ? (unsigned)arc_hdf5_number_of(data, 1) : 0;
    arc_hdf5_take(data, (flags & 4 ? 8 : 0) + (flags & 0x10 ? 1 : 0));
    uint64_t length = arc_hdf5_number_of(data, 1 << (flags & 3));
    const unsigned char *name = arc_hdf5_take(data, length);
    uint64_t header = arc_hdf5_number_of(data, 8);
    if (data->failed || kind != 0 || length == 0 || memchr(name, 0, length) != NULL)
        return true;
    return links->visit(links->context, (const char *)name, length, header);
}

static bool visit_group(void *context, ArcHdf5Message *message)
{
    Links *links = context;
    if (message->is_shared)
        return true;
    if (message->type == MESSAGE_TABLE) {
        links->has_table = true;
        links->tree = arc_hdf5_number_of(&message->data, 8);
        links->heap = arc_hdf5_number_of(&message->data, 8);
    } else if (message->type == MESSAGE_LINK) {
        links->goes_on = visit_link(links, &message->data);
    }
    return links->goes_on;
}

/* Shows every member of the group at address to visit. */
static void visit_links(ArcHdf5Image *image, uint64_t address, LinkVisit visit, void *context)
{
    Links links = {.image = image, .visit = visit, .context = context, .goes_on = true};
    arc_hdf5_image_visit(image, address, visit_group, &links);
    if (!links.goes_on || !links.has_table)
        return;
    /* [III.D] The heap of names. */
    ArcHdf5Cursor heap = cursor_from(image, links.heap);
    if (!is_next(&heap, "HEAP"))
        return;
    arc_hdf5_take(&heap, 4);
    uint64_t size = arc_hdf5_number_of(&heap, 8);
    arc_hdf5_take(&heap, 8);
    uint64_t data = arc_hdf5_number_of(&heap, 8);
    links.names = cursor_at(image, data, size);
    if (!heap.failed && !links.names.failed)
        visit_tree(&links, links.tree, MOST_DEPTH);
}

typedef struct Wanted {
    const char *name;
    size_t length;
    bool found;
    uint64_t address;
} Wanted;

static bool is_wanted(void *context, const char *name, size_t length, uint64_t address)
{
    Wanted *wanted = context;
    if (length != wanted->length || memcmp(name, wanted->name, length) != 0)
        return true;
    wanted->found = true;
    wanted->address = address;
    return false;
}

bool arc_hdf5_image_find(ArcHdf5Image *image, const char *path, uint64_t *address)
{
    uint64_t at = image->root;
    while (*path != '\0') {
        path += strspn(path, "/");
        Wanted wanted = {.name = path, .length = strcspn(path, "/")};
        if (wanted.length == 0)
            break;
        visit_links(image, at, is_wanted, &wanted);
        if (!wanted.found)
            return false;
        at = wanted.address;
        path += wanted.length;
    }
    *address = at;
    return true;
}

typedef struct Member {
    int left;
    const char *name;
    size_t length;
} Member;

static bool is_member(void *context, const char *name, size_t length, uint64_t address)
{
    Member *member = context;
    (void)address;
    if (member->left-- > 0)
        return true;
    member->name = name;
    member->length = length;
    return false;
}

const char *arc_hdf5_image_member(ArcHdf5Image *image, uint64_t group, int index, ArcArena *arena)
{
    Member member = {.left = index};
    visit_links(image, group, is_member, &member);
    return member.name == NULL ? NULL : arc_arena_copy_text(arena, member.name, member.length);
}
