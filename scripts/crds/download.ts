import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CrdSource } from './crd-source';
import { moduleTexts } from './go-module';

/** Definitions that cannot be downloaded here. */
export class UnreachableError extends Error {}

/**
 * Downloads the definitions of a source, unless a directory has them already.
 *
 * @param source what to download
 * @param directory where to keep it
 * @returns the file
 */
export async function download(source: CrdSource, directory: string): Promise<string> {
  const file = `${source.project.replace('/', '-')}-${source.version}-${source.file}`;
  const path = join(directory, file);
  if (existsSync(path)) { return path; }
  if (source.urls.length === 0) {
    throw new Error(`${source.project} ${source.version}: ${source.note} Missing: ${source.crds.map(crd => crd.name).join(', ')}.`);
  }
  const texts = moduleTexts(source) ?? await Promise.all(source.urls.map(async url => definitionsIn(await textOf(url, source), source)));
  mkdirSync(directory, { recursive: true });
  // Tests download in parallel processes, and none may read half a file.
  const partial = `${path}.${process.pid}`;
  writeFileSync(partial, texts.flat().join('\n---\n'));
  renameSync(partial, path);
  return path;
}

async function textOf(url: string, source: CrdSource): Promise<string> {
  try {
    const response = await fetch(url);
    if (!response.ok) { throw new Error(`the server answered ${response.status}`); }
    return await response.text();
  } catch (error) {
    throw new UnreachableError(`${url} cannot be downloaded: ${error instanceof Error ? error.message : String(error)}. `
      + `Set CRDS_DIR to a directory that has ${source.file}, or allow network access.`, { cause: error });
  }
}

/** In Go's raw strings a back quote is written as a string of its own. */
function definitionsIn(text: string, source: CrdSource): string[] {
  if (source.format !== 'go-string-map') { return [text]; }
  return [...text.replaceAll('` + "`" + `', '\0').matchAll(/"[\w-]+":\s*`([^`]*)`/g)].map(match => match[1].replaceAll('\0', '`'));
}
