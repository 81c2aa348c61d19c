/* IDA* on the 15-puzzle as Korf describes his program ("Depth-First Iterative-Deepening: An Optimal Admissible Tree
 * Search", 1985): one recursive function, an array of tiles, a table of the operators of every cell and one of what a
 * move adds to the Manhattan distance. Written anew for benches/peers.rs.
 *
 * Prints the name of its search. Then, for every board that it reads (16 tiles row by row, commas between them, 0 is the
 * blank), it prints the processor time in nanoseconds, the length of a shortest solution, and how many boards were
 * generated, the first one counted once. */

#define _POSIX_C_SOURCE 200809L
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static int operators[16][5];        /* of each cell, where the blank can go from there; -1 at the end */
static int increment[16][16][16];   /* by how much h grows if this tile goes from this cell to that one */
static int tiles[16];               /* the tile in each cell */
static int bound, next_bound;
static unsigned long long nodes;

static int distance(int tile, int cell) { return abs(tile % 4 - cell % 4) + abs(tile / 4 - cell / 4); }

static void make_tables(void) {
    static const int rows[4] = {-1, 0, 0, 1}, columns[4] = {0, -1, 1, 0};
    for (int cell = 0; cell < 16; ++cell) {
        int count = 0;
        for (int way = 0; way < 4; ++way) {
            const int row = cell / 4 + rows[way], column = cell % 4 + columns[way];
            if (row < 0 || row > 3 || column < 0 || column > 3) continue;
            const int to = 4 * row + column;
            operators[cell][count++] = to;
            for (int tile = 1; tile < 16; ++tile) {
                increment[tile][to][cell] = distance(tile, cell) - distance(tile, to);
            }
        }
        operators[cell][count] = -1;
    }
}

/* Whether there is a solution within the bound below a board that is not the goal; the blank came from `before`. */
static int search(int blank, int before, int g, int h) {
    for (const int* operator = operators[blank]; *operator >= 0; ++operator) {
        const int to = *operator;
        if (to == before) continue;
        ++nodes;
        const int tile = tiles[to];
        const int child = h + increment[tile][to][blank];
        if (g + 1 + child > bound) {
            if (g + 1 + child < next_bound) next_bound = g + 1 + child;
            continue;
        }
        tiles[blank] = tile;
        if (child == 0 || search(to, blank, g + 1, child)) return 1;
        tiles[to] = tile;
    }
    return 0;
}

static int solve(const int* start) {
    int blank = 0, h = 0;
    for (int cell = 0; cell < 16; ++cell) {
        tiles[cell] = start[cell];
        if (start[cell] == 0) blank = cell;
        else h += distance(start[cell], cell);
    }
    nodes = 1;
    for (bound = h; h > 0; bound = next_bound) {
        next_bound = INT_MAX;
        if (search(blank, -1, 0, h)) break;
    }
    return bound;
}

static long long processor_time(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

int main(void) {
    make_tables();
    printf("ida\n");
    fflush(stdout);
    for (int start[16]; scanf("%d", &start[0]) == 1;) {
        for (int cell = 1; cell < 16; ++cell) {
            if (scanf(",%d", &start[cell]) != 1) return 2;
        }
        const long long began = processor_time();
        const int length = solve(start);
        printf("%lld %d %llu\n", processor_time() - began, length, nodes);
        fflush(stdout);
    }
}
