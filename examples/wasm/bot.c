/* A bot for the arena, as a WebAssembly module: docs/protocol.md has all that it may export. Compile it by

     clang --target=wasm32 -O2 -nostdlib -Wl,--no-entry,-s -o bot.wasm bot.c

   It is sent each view as a row of 32-bit numbers, and chooses the exchange that makes the best hand. */

#include <stdint.h>

#define EXPORT(name) __attribute__((export_name(name)))

enum { HEAD, ORDER, ROLES, HAND, DEALT, TOKENS, CHIPS, POINTS, POOL, LEGAL, WIDOW };
enum { CARDS = 3, PAGE = 65536 };

static const char RANKS[] = "23456789TJQKA";
static const char *const CONTENT[] = {"knock", "stand", "cambio", "sell", "pass", "keep", "horse", "pounce"};

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

EXPORT("view_format") int32_t view_format(void) { return 1; }

/* A match begins: JSON with the variant, the seat, a key for random numbers, the settings. */
EXPORT("begin") void begin(const char *message, uint32_t size)
{
    (void)message, (void)size;
}

/* A field of a view: its length, and then so many numbers. */
static const int32_t *field(const int32_t *view, int number)
{
    while (number--) view += 1 + *view;
    return view;
}

/* A card is its notation in four bytes: "TD". */
static int rank_of(int32_t card)
{
    for (int rank = 0; RANKS[rank]; rank++)
        if (RANKS[rank] == (char)card) return rank;
    return -1;
}

/* An ace counts 11, a court card 10. */
static int pips(int rank) { return rank == 12 ? 11 : rank > 8 ? 10 : rank + 2; }

/* What three cards are worth: three alike, a sequence of one suit, a flush, a pair, and else their pips. */
static int worth(const int32_t *cards)
{
    int high = rank_of(cards[0]), middle = rank_of(cards[1]), low = rank_of(cards[2]), spare;
    if (high < 0 || middle < 0 || low < 0) return -1; /* a card that lies face down */
    if (high < middle) spare = high, high = middle, middle = spare;
    if (middle < low) spare = middle, middle = low, low = spare;
    if (high < middle) spare = high, high = middle, middle = spare;
    int in_order = (high * 13 + middle) * 13 + low;
    if (high == low) return 500000 + high;
    int is_flush = cards[0] >> 8 == cards[1] >> 8 && cards[1] >> 8 == cards[2] >> 8;
    if (is_flush && high == middle + 1 && middle == low + 1) return 400000 + high;
    if (is_flush) return 300000 + in_order;
    if (high == middle || middle == low) return 200000 + middle * 100 + (middle == high ? low : high);
    return (pips(high) + pips(middle) + pips(low)) * 2197 + in_order;
}

/* Whether an action's word, in twelve bytes, is one of those that end a deal or pass. */
static int is_content(const char *word)
{
    for (unsigned i = 0; i < sizeof CONTENT / sizeof *CONTENT; i++) {
        const char *content = CONTENT[i];
        int at = 0;
        while (content[at] && content[at] == word[at]) at++;
        if (!content[at] && !word[at]) return 1;
    }
    return 0;
}

/* A decision: the number of a legal action, from 0. */
EXPORT("act") int32_t act(const int32_t *view, uint32_t size)
{
    (void)size;
    const int32_t *hand = field(view, HAND), *legal = field(view, LEGAL), *widow = field(view, WIDOW);
    int count = legal[1], best = -1, content = -1;
    int most = *hand == CARDS ? worth(hand + 1) : -1, is_known = most >= 0;
    const int32_t *action = legal + 2; /* its length; a word; how many cards it gives, their slots; takes */
    for (int number = 0; number < count; number++, action += 1 + *action) {
        const int32_t *give = action + 4, *take = give + 1 + *give;
        if (is_content((const char *)(action + 1))) content = number;
        if (!is_known || !*take || *take != *give) continue;
        int32_t made[CARDS] = {hand[1], hand[2], hand[3]};
        for (int i = 1; i <= *give; i++) made[give[i]] = widow[1 + take[i]];
        int value = worth(made);
        if (value > most) most = value, best = number;
    }
    return best >= 0 ? best : content >= 0 ? content : count - 1;
}
