import * as path from 'node:path';

/** A part of a path that is empty, or stands for a folder around it, or may be two parts. */
const UNCLEAR = /(?:^|\/)\.{0,2}(?:\/|$)|\\/;

/** True of a relative path that normalization leaves as it is, where `/` stands between its parts. */
export function isClearPath(file: string): boolean {
  return path.sep === '/' && !UNCLEAR.test(file);
}

/** A folder and a path below it as one path, where no part of them has to be looked at; undefined for other paths, which `path.join` joins. */
export function joined(folder: string, file: string): string | undefined {
  return isClearPath(file) && isClearPath(folder.startsWith('/') ? folder.slice(1) : folder) ? `${folder}/${file}` : undefined;
}
