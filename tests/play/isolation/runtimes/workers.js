// A worker thread, a file read and a key derived by the thread pool, and the time that was used.
const { Worker, isMainThread, parentPort } = require("worker_threads");
const { pbkdf2 } = require("crypto");
const { readFile } = require("fs");

if (isMainThread) {
  const worker = new Worker(__filename);
  worker.on("message", (sum) =>
    readFile(__filename, () => pbkdf2("a", "b", 1000, 10, "sha1", () => (worker.sum = sum)))
  );
  worker.on("exit", () => process.on("exit", () => console.log(worker.sum)));
} else {
  parentPort.postMessage([1, 2, 3].reduce((a, b) => a + b));
}
