/** A worker: loads Python and the arena from parts that are given to it, and answers numbered requests. It has no network. */
let playground = null;

onmessage = async ({ data }) => {
  const { number, parts, wasm, request, bytes } = data;
  try {
    if (parts) playground = await start(parts, wasm);
    const answer = parts ? "{}" : playground.handle(JSON.stringify(request), bytes ? self.toBytes(bytes) : undefined);
    postMessage({ number, answer });
  } catch (error) {
    postMessage({ number, problem: String(error.message || error).trim().split("\n").slice(-3).join(" ") });
  }
};

/** Load Pyodide, which asks for its files by `fetch`, unpack the arena, and return what answers requests. */
async function start(parts, wasm) {
  self.fetch = async (address) => new Response(parts[String(address.url || address).split("/").pop()]);
  const { instantiateStreaming } = WebAssembly;
  WebAssembly.instantiateStreaming = async (_, imports) => ({ module: wasm, instance: await WebAssembly.instantiate(wasm, imports) });
  const load = (name) => import(URL.createObjectURL(new Blob([parts[name]], { type: "text/javascript" })));
  const [{ loadPyodide }, { default: createPyodideModule }] = await Promise.all([load("pyodide.mjs"), load("pyodide.asm.mjs")]);
  const python = await loadPyodide({ createPyodideModule, indexURL: "https://parts.invalid/", env: { HOME: "/home" } });
  WebAssembly.instantiateStreaming = instantiateStreaming;
  python.unpackArchive(parts["arena.zip"], "zip", { extractDir: "/arena" });
  python.setStdout({ batched: () => {} });
  python.setStderr({ batched: () => {} });
  self.toBytes = (buffer) => python.toPy(new Uint8Array(buffer)).tobytes();
  return python.runPython("import sys; sys.path.insert(0, '/arena'); from pathlib import Path; from arena.playground.worker import Playground; Playground(Path('/arena/pages'))");
}
