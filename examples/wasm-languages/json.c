/* The bot of ../wasm/bot.c, which is sent its views as JSON: a module without a view_format. Compile it by

     clang --target=wasm32 -O2 -nostdlib -Wl,--no-entry,-s -o bot.wasm json.c */

#include <stddef.h>
#include <stdint.h>

#define EXPORT(name) __attribute__((export_name(name)))

enum { CARDS = 3, MOST = 64, PAGE = 65536 };

static const char RANKS[] = "23456789TJQKA";
static const char *const CONTENT[] = {"knock", "stand", "cambio", "sell", "pass", "keep", "horse", "pounce"};

/* ---- what the C library would have ---- */

static size_t length_of(const char *text)
{
    size_t length = 0;
    while (text[length]) length++;
    return length;
}

static int starts_with(const char *at, const char *text, size_t length)
{
    while (length && *at == *text) at++, text++, length--;
    return !length;
}

static const char *find(const char *text, char sign)
{
    while (*text && *text != sign) text++;
    return *text == sign ? text : NULL;
}

extern unsigned char __heap_base; /* set by the linker: the memory behind it is free */

/* The arena asks for a buffer, and for a larger one when a message is longer than it: nothing is ever freed. */
EXPORT("alloc") void *alloc(uint32_t size)
{
    static uintptr_t top;
    if (!top) top = ((uintptr_t)&__heap_base + 15) & ~(uintptr_t)15;
    uintptr_t place = top, end = place + size, have = __builtin_wasm_memory_size(0) * PAGE;
    if (end > have && __builtin_wasm_memory_grow(0, (end - have + PAGE - 1) / PAGE) == SIZE_MAX) return 0;
    top = (end + 15) & ~(uintptr_t)15;
    return (void *)place;
}

/* ---- JSON ---- */

static const char *blank(const char *at)
{
    while (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\n') at++;
    return at;
}

/* Past a value: a text, a number or word, an array or an object. */
static const char *skip(const char *at)
{
    int depth = 0;
    at = blank(at);
    do {
        if (*at == '"') {
            for (at++; *at && *at != '"'; at++)
                if (*at == '\\' && at[1]) at++;
            if (*at) at++;
        } else if (*at == '[' || *at == '{') {
            depth++;
            at++;
        } else if (*at == ']' || *at == '}') {
            depth--;
            at++;
        } else if (depth) {
            at++;
        } else {
            while (*at && !find(",]} \t\r\n", *at)) at++;
        }
    } while (*at && depth > 0);
    return at;
}

/* The value of a member of an object; NULL where there is none. Names are compared as they are written. */
static const char *member(const char *object, const char *name)
{
    size_t length = length_of(name);
    const char *at = object ? blank(object) : "";
    if (*at != '{') return NULL;
    at = blank(at + 1);
    while (*at == '"') {
        const char *key = at + 1;
        const char *value = blank(skip(at));
        if (*value != ':') return NULL;
        value = blank(value + 1);
        if (starts_with(key, name, length) && key[length] == '"') return value;
        at = blank(skip(value));
        if (*at == ',') at = blank(at + 1);
    }
    return NULL;
}

/* Whether a value is this text. */
static int is_text(const char *value, const char *text)
{
    size_t length = length_of(text);
    return value && *value == '"' && starts_with(value + 1, text, length) && value[length + 1] == '"';
}

/* ---- the game ---- */

static int rank_of(const char *card)
{
    const char *found = find(RANKS, card[0]);
    return found && card[0] ? (int)(found - RANKS) : -1;
}

static int is_card(const char *at) { return rank_of(at) >= 0 && at[1] && find("SHDC", at[1]); }

/* An ace counts 11, a court card 10. */
static int pips(int rank) { return rank == 12 ? 11 : rank > 8 ? 10 : rank + 2; }

/* What three cards are worth: three alike, a sequence of one suit, a flush, a pair, and else their pips. */
static int worth(const char *const *cards)
{
    int high = rank_of(cards[0]), middle = rank_of(cards[1]), low = rank_of(cards[2]), spare;
    if (high < middle) spare = high, high = middle, middle = spare;
    if (middle < low) spare = middle, middle = low, low = spare;
    if (high < middle) spare = high, high = middle, middle = spare;
    int in_order = (high * 13 + middle) * 13 + low;
    if (high == low) return 500000 + high;
    int is_flush = cards[0][1] == cards[1][1] && cards[1][1] == cards[2][1];
    if (is_flush && high == middle + 1 && middle == low + 1) return 400000 + high;
    if (is_flush) return 300000 + in_order;
    if (high == middle || middle == low) return 200000 + middle * 100 + (middle == high ? low : high);
    return (pips(high) + pips(middle) + pips(low)) * 2197 + in_order;
}

/* The cards that stand at `at`, with this sign between them; how many, and where they end. */
static int read_cards(const char *at, char between, const char **cards, const char **end)
{
    int count = 0;
    while (is_card(at) && count < MOST) {
        cards[count++] = at;
        at += 2;
        if (*at != between) break;
        at++;
    }
    *end = at;
    return count;
}

/* What the hand is worth after "4D,5H>9D,JS"; -1 for an action that is written in another way. */
static int worth_after(const char *action, const char *const *hand)
{
    const char *given[MOST], *taken[MOST], *made[CARDS], *end;
    int count = read_cards(action + 1, ',', given, &end);
    if (!count || *end != '>' || read_cards(end + 1, ',', taken, &end) != count || *end != '"') return -1;
    for (int i = 0; i < CARDS; i++) {
        made[i] = hand[i];
        for (int j = 0; j < count; j++)
            if (starts_with(hand[i], given[j], 2)) made[i] = taken[j];
    }
    return worth(made);
}

static int is_content(const char *action)
{
    for (size_t i = 0; i < sizeof CONTENT / sizeof *CONTENT; i++)
        if (is_text(action, CONTENT[i])) return 1;
    return 0;
}

/* The place among the legal actions of what to do. */
static int choose(const char *view)
{
    const char *hand[MOST], *end, *text = member(view, "hand"), *at = member(view, "legal");
    int most = 0, best = -1, content = -1, place = 0;
    int known = text && read_cards(text + 1, ' ', hand, &end) == CARDS && *end == '"';
    if (known) most = worth(hand);
    if (!at || *at != '[') return 0;
    for (at = blank(at + 1); *at == '"'; place++) {
        int made = known ? worth_after(at, hand) : -1;
        if (made > most) most = made, best = place;
        if (is_content(at)) content = place;
        at = blank(skip(at));
        if (*at == ',') at = blank(at + 1);
    }
    if (best >= 0) return best;
    return content >= 0 ? content : place - 1;
}

/* A match begins: JSON with the variant, the seat, a key for random numbers, the settings. */
EXPORT("begin") void begin(const char *message, uint32_t size)
{
    (void)message, (void)size;
}

/* A decision: the number of a legal action, from 0. The message has no zero at its end, but room for one. */
EXPORT("act") int32_t act(char *message, uint32_t size)
{
    message[size] = 0;
    return choose(message);
}
