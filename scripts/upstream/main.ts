/*
 * Lists what has newer releases than those that the repository names, and what could not be asked.
 *
 *   npm run upstream                     prints the list
 *   npm run upstream -- --exit-code      fails, too, where something has a newer release
 */
import { ask } from './ask';
import { newest } from './newer';
import { Pin, pins } from './pins';

/** Number of requests at once. */
const AT_ONCE = 8;

interface Found {
  readonly pin: Pin;
  readonly text: string;
}

async function main(): Promise<void> {
  const waiting = pins();
  const newer: Found[] = [];
  const silent: Found[] = [];
  let current = 0;
  await Promise.all(Array.from({ length: AT_ONCE }, async () => {
    for (let pin = waiting.shift(); pin; pin = waiting.shift()) {
      const answer = await ask(pin);
      if ('faults' in answer) {
        silent.push({ pin, text: answer.faults.join('; ') });
        continue;
      }
      const release = newest(answer.known, answer.versions, pin.patchesOnly);
      if (release === undefined) current++;
      else newer.push({ pin, text: `${answer.known} -> ${release} (${answer.asked})` });
    }
  }));
  print('Newer releases', newer);
  print('Could not be asked', silent);
  console.log(`${newer.length} have newer releases, ${current} have none, ${silent.length} could not be asked`);
  if (newer.length > 0 && process.argv.includes('--exit-code')) process.exitCode = 1;
}

function print(title: string, found: readonly Found[]): void {
  if (found.length === 0) return;
  console.log(`${title}:`);
  for (const { pin: { name, file, version }, text } of [...found].sort((one, other) => one.pin.name.localeCompare(other.pin.name, 'en'))) {
    console.log(`  ${name} ${version} (${file}): ${text}`);
  }
  console.log('');
}

void main();
