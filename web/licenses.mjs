// The licenses of the packages in a bundle.

import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** Returns the name, the license and its text of each package that the inputs of a bundle, relative to
 * a folder, belong to. */
export function licenses(inputs, folder) {
  const names = Object.keys(inputs).map((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1]);
  return [...new Set(names.filter(Boolean))].sort().map((name) => {
    const place = join(folder, "node_modules", name);
    const { version, license } = JSON.parse(readFileSync(join(place, "package.json"), "utf8"));
    const file = readdirSync(place).find((file) => /^licen[cs]e/i.test(file));
    const text = file ? readFileSync(join(place, file), "utf8").trim() : "(The package holds no text of it.)";
    return { name, license, text: `${name} ${version}: ${license}\n\n${text}` };
  });
}
