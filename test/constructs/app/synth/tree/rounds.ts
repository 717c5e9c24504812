import { TreeFile } from '../../../../../src/constructs/app/synth/tree/write-tree';

/** Files of a tree that changes from round to round: some come and go, some change, some do not. */
export function treeOf(round: number): TreeFile[] {
  return Array.from({ length: 60 }, (_, number) => number).filter((number) => (number * 7 + round) % 5 !== 0).map((number) => {
    const version = number % 3 === 0 ? 0 : Math.floor((round + number) / 2);
    const lines = Array.from({ length: 20 + number }, (_, line) => `  - ${number}-${version}-${line}\n`);
    return {
      path: `folder-${number % 7}/${number % 2 === 0 ? '' : `deeper-${number % 4}/`}file-${number}.yaml`,
      content: `number: ${number}\nversion: ${version}\nlines:\n${lines.join('')}end: true\n`,
      executable: number % 11 === 0,
      producer: `maker ${number}`,
      list: `folder-${number % 7}`,
    };
  });
}
