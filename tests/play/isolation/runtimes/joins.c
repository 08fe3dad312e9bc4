/* Threads that compute, and are waited for: by their ends and by a condition variable. */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int finished = 0;

static void *work(void *result) {
    long sum = 0;
    for (long i = 1; i <= 1000000; i++) sum += i;
    *(long *)result = sum;
    pthread_mutex_lock(&lock);
    finished++;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    return result;
}

int main(void) {
    pthread_t threads[8];
    long results[8], total = 0;
    for (int i = 0; i < 8; i++)
        if (pthread_create(&threads[i], NULL, work, &results[i])) return 1;
    pthread_mutex_lock(&lock);
    while (finished < 4) pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < 8; i++) {
        void *returned;
        if (pthread_join(threads[i], &returned) || returned != &results[i]) return 2;
        total += results[i];
    }
    printf("%ld\n", total);
    return 0;
}
