import * as fs from 'node:fs';
import * as path from 'node:path';

/** Expects a text to be what a file holds; `WRITE_GOLDEN=1` writes the file. */
export function expectFile(file: string, text: string): void {
  if (process.env.WRITE_GOLDEN === '1') {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text);
  }
  expect(text).toBe(fs.readFileSync(file, 'utf8'));
}
