const MAX_LINK_CHARS = 200_000;

/** A bot in the fragment of an address, which is not sent to a server: its name, its code compressed, and its game. */
async function packBot(name, code, game = "") {
  const bytes = await throughStream(new Blob([code]), new CompressionStream("deflate-raw"));
  const text = btoa(Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join(""));
  return `bot=${encodeURIComponent(name)}&code=${text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}&game=${encodeURIComponent(game)}`;
}

/** Return the name, code and game of the bot in a fragment; null if it has none that can be read. */
async function unpackBot(fragment) {
  const fields = new URLSearchParams(fragment.replace(/^#/, ""));
  if (!fields.get("code") || fragment.length > MAX_LINK_CHARS) return null;
  try {
    const text = atob(fields.get("code").replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = await throughStream(new Blob([Uint8Array.from(text, (char) => char.charCodeAt(0))]), new DecompressionStream("deflate-raw"));
    return { name: fields.get("bot") || "bot", code: new TextDecoder().decode(bytes), game: fields.get("game") || "" };
  } catch {
    return null;
  }
}

function throughStream(blob, stream) {
  return new Response(blob.stream().pipeThrough(stream)).arrayBuffer();
}
