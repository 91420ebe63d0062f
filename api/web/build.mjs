// Builds dist/: one page, one style sheet, one script, and the parts of it that are fetched later. Fails loudly; leaves no
// half-written folder behind.
import { createHash } from "node:crypto";
import { mkdir, copyFile, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, context } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const dist = join(here, "dist");
// The page's maps have no tiles, controls, popups and tooltips: Leaflet's styles for these are left out.
const UNUSED = /control|popup|tooltip|attribution|leaflet-bar|tile(?!-pane)|vml|shadow|canvas|crosshair|oldie|safari|(div|default)-icon|(fade|pan)-anim|container a\b|leaflet-(top|right|bottom|left)\b/;
const mapStyles = {
  name: "map styles",
  setup({ onLoad }) {
    onLoad({ filter: /leaflet\.css$/ }, async ({ path }) => {
      const all = (await readFile(path, "utf8")).replace(/\/\*[^]*?\*\//g, "");
      const contents = all.replace(/([^{}]+)(\{[^{}]*\})/g, (_, selectors, rules) => {
        const used = selectors.split(",").filter((one) => !UNUSED.test(one));
        return used.length === 0 ? "" : used.join(",") + rules;
      });
      return { contents, loader: "css" };
    });
  },
};
const options = {
  absWorkingDir: here,
  plugins: [mapStyles],
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
  const { metafile } = await build({ ...options, metafile: true });
  await writeLicences(Object.keys(metafile.inputs));
}
// The one style sheet has what the later parts' own would say.
for (const name of await readdir(dist)) {
  if (/^(part|\w+)-.*\.css$/.test(name)) await rm(join(dist, name));
}
for (const name of ["index.html", "icon.svg", "manifest.webmanifest", "icons/icon-180.png", "icons/icon-192.png", "icons/icon-512.png"]) {
  await copyFile(join(here, "src", name), join(dist, basename(name)));
}
// What the page keeps for when the server is away, by a name that changes with its contents.
const files = (await readdir(dist)).filter((name) => /\.(js|css|svg|png|webmanifest)$/.test(name)).sort();
const version = createHash("sha256");
for (const name of ["index.html", ...files]) version.update(await readFile(join(dist, name)));
const kept = { FILES: JSON.stringify(files.map((name) => `/${name}`)), VERSION: JSON.stringify(version.digest("hex").slice(0, 16)) };
await build({ ...options, entryPoints: { worker: "src/worker.ts" }, format: "iife", splitting: false, define: kept });
// The interactive page of the server's addresses: not part of the phone page, and loaded by nobody but the host.
await mkdir(join(dist, "docs"));
for (const name of ["index.html", "begin.js"]) {
  await copyFile(join(here, "src", "docs", name), join(dist, "docs", name));
}
for (const name of ["swagger-ui-bundle.js", "swagger-ui-bundle.js.LICENSE.txt", "swagger-ui.css", "LICENSE", "NOTICE"]) {
  await copyFile(join(here, "node_modules", "swagger-ui-dist", name), join(dist, "docs", name));
}

// The licences of the packages that the page's script contains.
async function writeLicences(inputs) {
  const packages = new Set(inputs.map((path) => path.match(/node_modules\/((?:@[^/]+\/)?[^/]+)/)?.[1]).filter(Boolean));
  const parts = await Promise.all([...packages].sort().map(async (name) => {
    const folder = join(here, "node_modules", name);
    const { version, license } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
    return `${name} ${version} (${license})\n\n${(await readFile(join(folder, "LICENSE"), "utf8")).trim()}\n`;
  }));
  await writeFile(join(dist, "licences.txt"), parts.join(`\n${"-".repeat(80)}\n\n`));
}
