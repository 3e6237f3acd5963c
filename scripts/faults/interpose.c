// Stands between a program and the C library, to do to it what the world may do.
//
// KILL_BEFORE=N    the program kills itself before its Nth call that changes a disk: between any two steps of writing
// CLOCK_JUMPS=1    every hundredth look at a clock finds that it was set: up to a day ahead or back
//
// cc -shared -fPIC -o interpose.so interpose.c -ldl; LD_PRELOAD=./interpose.so evens ...
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

static atomic_long calls;

static void count(void) {
    static atomic_long limit = -1;
    long most = atomic_load(&limit);
    if (most < 0) {
        const char *text = getenv("KILL_BEFORE");
        most = text ? atol(text) : 0;
        atomic_store(&limit, most);
    }
    if (most > 0 && atomic_fetch_add(&calls, 1) + 1 == most) kill(getpid(), SIGKILL);
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

ssize_t write(int file, const void *bytes, size_t size) {
    if (file > 2) count();
    return NEXT(write)(file, bytes, size);
}
int rename(const char *from, const char *to) { count(); return NEXT(rename)(from, to); }
int unlink(const char *path) { count(); return NEXT(unlink)(path); }
int rmdir(const char *path) { count(); return NEXT(rmdir)(path); }
int fsync(int file) { count(); return NEXT(fsync)(file); }
int fdatasync(int file) { count(); return NEXT(fdatasync)(file); }
int ftruncate64(int file, off64_t size) { count(); return NEXT(ftruncate64)(file, size); }

int clock_gettime(clockid_t clock, struct timespec *time) {
    static atomic_long looks, jumped;
    int result = NEXT(clock_gettime)(clock, time);
    if (getenv("CLOCK_JUMPS")) {
        long look = atomic_fetch_add(&looks, 1);
        if (look % 100 == 99) atomic_store(&jumped, (look * 7919) % 172800 - 86400);
        time->tv_sec += atomic_load(&jumped);
    }
    return result;
}
