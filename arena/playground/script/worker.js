/** The worker: loads Python and the arena from parts that are given to it, and answers requests. It has no network. */
let playground = null;

onmessage = async ({ data }) => {
  try {
    if (data.parts) {
      playground = await start(data.parts);
      postMessage({ ready: true });
    } else {
      const text = JSON.stringify(data.request);
      postMessage({ answer: playground.handle(text, data.bytes ? self.toBytes(data.bytes) : undefined) });
    }
  } catch (error) {
    postMessage({ problem: String(error.message || error).trim().split("\n").slice(-3).join(" ") });
  }
};

/** Load Pyodide, which asks for its files by `fetch`, unpack the arena, and return what answers requests. */
async function start(parts) {
  self.fetch = async (address) => {
    const name = String(address.url || address).split("/").pop();
    const type = name.endsWith(".wasm") ? "application/wasm" : "application/octet-stream";
    return new Response(parts[name], { headers: { "Content-Type": type } });
  };
  const load = (name) => import(URL.createObjectURL(new Blob([parts[name]], { type: "text/javascript" })));
  const [{ loadPyodide }, { default: createPyodideModule }] = await Promise.all([load("pyodide.mjs"), load("pyodide.asm.mjs")]);
  const python = await loadPyodide({ createPyodideModule, indexURL: "https://parts.invalid/", env: { HOME: "/home" } });
  python.unpackArchive(parts["arena.zip"], "zip", { extractDir: "/arena" });
  python.setStdout({ batched: () => {} });
  python.setStderr({ batched: () => {} });
  self.toBytes = (buffer) => python.toPy(new Uint8Array(buffer)).tobytes();
  return python.runPython("import sys; sys.path.insert(0, '/arena'); from pathlib import Path; from arena.playground.worker import Playground; Playground(Path('/arena/pages'))");
}
