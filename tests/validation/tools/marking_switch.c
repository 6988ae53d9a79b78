/* A switch port in user space for linux_marks.py: drop-tail, a step of marks, a rate and a delay.
 *
 * usage: marking_switch SENDER RECEIVER RATE BUFFER STEP DELAY LASTING LOG
 *
 * SENDER and RECEIVER are open handles of two tun devices without headers. What is read from the sender's waits for a
 * transmitter of RATE bit/s of IP packets and is written to the receiver's when its last bit has left. What the
 * receiver's gives is written to the sender's DELAY seconds after it came. A packet that finds BUFFER packets waiting,
 * the one being sent not counted, is dropped; one that finds more than STEP of them is marked if it may be (RFC 3168),
 * and let through if not. LOG gets one record a packet; a summary goes to standard output.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { LARGEST = 2048, PLACES = 1 << 13, RECORDS = 1 << 20 };
enum { MARKED = 1, DROPPED = 2, ECHOED = 4, ANSWERED = 8, ACKNOWLEDGES = 16 };

struct packet {
    int64_t begins, due; /* when its first bit leaves, and its last [ns] */
    int length;
    unsigned char bytes[LARGEST];
};

struct line { /* packets under way, in the order in which they are due */
    struct packet *places;
    uint32_t head, tail;
};

struct record { /* read by linux_marks.py */
    double time;
    uint32_t number; /* sequence number, or the one acknowledged */
    uint16_t port, waiting, payload, flags;
};

static struct record records[RECORDS];
static uint32_t recorded;
static int64_t worst, late, carried, stalled; /* stalled: packets more than a millisecond late */

static int64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static struct packet *place(struct line *line, uint32_t n) { return &line->places[n % PLACES]; }

static void mark(unsigned char *p)
{
    uint32_t sum = 0;
    p[1] |= 3;
    p[10] = p[11] = 0;
    for (int i = 0; i < (p[0] & 15) * 4; i += 2) sum += p[i] << 8 | p[i + 1];
    while (sum >> 16) sum = (sum & 0xffff) + (sum >> 16);
    p[10] = (unsigned char)(~sum >> 8);
    p[11] = (unsigned char)~sum;
}

static void note(int64_t time, const unsigned char *p, int length, int acknowledges, uint32_t waiting, int flags)
{
    const unsigned char *tcp = p + (p[0] & 15) * 4;
    if (recorded == RECORDS || p[9] != 6) return;
    struct record *r = &records[recorded++];
    uint32_t number;
    memcpy(&number, tcp + (acknowledges ? 8 : 4), 4);
    r->time = (double)time * 1e-9;
    r->number = ntohl(number);
    r->port = (uint16_t)(acknowledges ? tcp[2] << 8 | tcp[3] : tcp[0] << 8 | tcp[1]);
    r->waiting = (uint16_t)waiting;
    r->payload = (uint16_t)(length - (p[0] & 15) * 4 - (tcp[12] >> 4) * 4);
    r->flags = (uint16_t)(flags | (tcp[13] & 0x40 ? ECHOED : 0) | (tcp[13] & 0x80 ? ANSWERED : 0) |
                          (acknowledges ? ACKNOWLEDGES : 0));
}

static void let_go(struct line *line, int handle, int acknowledges)
{
    int64_t time = now();
    while (line->head != line->tail && place(line, line->head)->due <= time) {
        struct packet *p = place(line, line->head++);
        if (acknowledges) note(time, p->bytes, p->length, 1, 0, 0);
        if (write(handle, p->bytes, p->length) < 0) perror("write");
        worst = time - p->due > worst ? time - p->due : worst;
        late += time - p->due;
        stalled += time - p->due > 1000000;
        carried++;
    }
}

int main(int count, char **given)
{
    if (count != 9) return 2;
    int sender = atoi(given[1]), receiver = atoi(given[2]);
    double rate = atof(given[3]);
    uint32_t buffer = (uint32_t)atoi(given[4]), step = (uint32_t)atoi(given[5]);
    int64_t delay = (int64_t)(atof(given[6]) * 1e9), idle = 0, stop = now() + (int64_t)(atof(given[7]) * 1e9);
    struct line data = {calloc(PLACES, sizeof(struct packet)), 0, 0}, back = {calloc(PLACES, sizeof(struct packet)), 0, 0};
    uint32_t starts = 0; /* the oldest packet that has not begun to leave */
    if (!data.places || !back.places || mlockall(MCL_CURRENT)) return 1; /* no page faults later */
    for (int64_t time = now(); time < stop; time = now()) {
        int64_t due = time + 100000000;
        if (data.head != data.tail && place(&data, data.head)->due < due) due = place(&data, data.head)->due;
        if (back.head != back.tail && place(&back, back.head)->due < due) due = place(&back, back.head)->due;
        int64_t left = due > time ? due - time : 0;
        struct timespec wait = {left / 1000000000, left % 1000000000};
        struct pollfd ready[2] = {{sender, POLLIN, 0}, {receiver, POLLIN, 0}};
        if (ppoll(ready, 2, &wait, NULL) < 0 && errno != EINTR) return 1;
        let_go(&data, receiver, 0);
        let_go(&back, sender, 1);
        while (back.tail - back.head < PLACES) {
            struct packet *p = place(&back, back.tail);
            p->length = (int)read(receiver, p->bytes, LARGEST);
            if (p->length <= 0) break;
            p->due = now() + delay;
            back.tail++;
        }
        for (;;) {
            struct packet *p = place(&data, data.tail);
            p->length = (int)read(sender, p->bytes, LARGEST);
            if (p->length <= 0) break;
            int64_t came = now();
            if (starts < data.head) starts = data.head;
            while (starts != data.tail && place(&data, starts)->begins <= came) starts++;
            uint32_t waiting = data.tail - starts;
            if (waiting >= buffer && idle > came) {
                note(came, p->bytes, p->length, 0, waiting, DROPPED);
                continue;
            }
            int marked = waiting > step && (p->bytes[1] & 3) != 0;
            if (marked) mark(p->bytes);
            note(came, p->bytes, p->length, 0, waiting, marked ? MARKED : 0);
            p->begins = idle > came ? idle : came;
            idle = p->due = p->begins + (int64_t)(p->length * 8e9 / rate);
            data.tail++;
        }
    }
    FILE *log = fopen(given[8], "wb");
    if (!log || fwrite(records, sizeof(struct record), recorded, log) != recorded || fclose(log)) return 1;
    double all = carried ? (double)carried : 1.0;
    printf("{\"latest\": %g, \"mean\": %g, \"stalled\": %g}\n", (double)worst * 1e-9, (double)late * 1e-9 / all,
           (double)stalled / all);
    return 0;
}
