// Builds dist/: one page, one style sheet, one script, and the parts of it that are fetched later. Fails loudly; leaves no
// half-written folder behind.
import { mkdir, copyFile, readdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, context } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const dist = join(here, "dist");
const options = {
  absWorkingDir: here,
  entryPoints: { app: "src/main.tsx" },
  outdir: dist,
  bundle: true,
  minify: true,
  format: "esm",
  splitting: true,
  chunkNames: "part-[hash]",
  target: ["es2021", "safari15"],
  jsx: "automatic",
  jsxImportSource: "preact",
  loader: { ".png": "empty" },
  legalComments: "eof",
  logLevel: "info",
};

await rm(dist, { recursive: true, force: true });
await mkdir(dist, { recursive: true });
if (process.argv.includes("--watch")) {
  const watching = await context(options);
  await watching.watch();
} else {
  await build(options);
}
// The one style sheet has what the later parts' own would say.
for (const name of await readdir(dist)) {
  if (/^(part|\w+)-.*\.css$/.test(name)) await rm(join(dist, name));
}
for (const name of ["index.html", "icon.svg"]) {
  await copyFile(join(here, "src", name), join(dist, name));
}
// The interactive page of the server's addresses: not part of the phone page, and loaded by nobody but the host.
await mkdir(join(dist, "docs"));
for (const name of ["index.html", "begin.js"]) {
  await copyFile(join(here, "src", "docs", name), join(dist, "docs", name));
}
for (const name of ["swagger-ui-bundle.js", "swagger-ui-bundle.js.LICENSE.txt", "swagger-ui.css", "LICENSE", "NOTICE"]) {
  await copyFile(join(here, "node_modules", "swagger-ui-dist", name), join(dist, "docs", name));
}
