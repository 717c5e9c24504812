import { ImageInventory, NotKnown, Use } from '../../manifests/landscape/image-inventory';
import { placeText } from '../../manifests/landscape/place';
import { objectName } from '../../manifests/objects/manifest-object';
import { printable } from '../../manifests/values/printable';
import { table } from '../table';

/** The inventory as a table that people read. */
export function textFormat({ images, charts, notKnown }: ImageInventory, columns?: number): string {
  return [
    table(['IMAGE', 'USED BY'], images.map((image) => [image.image, usersOf(image.uses)]), columns),
    table(['CHART', 'VERSION', 'REPOSITORY', 'IMAGES', 'USED BY'], charts.map(({ chart, version, repository, imagesKnown, uses }) => [
      chart, version, repository, imagesKnown ? 'above' : 'see below', usersOf(uses),
    ]), columns),
    notKnown.length === 0 ? '' : `NOT KNOWN\n${notKnown.map(notKnownText).join('')}`,
    `${summary({ images, charts, notKnown })}\n`,
  ].filter((part) => part !== '').join('\n');
}

/** How much there is, in a sentence. */
export function summary({ images, charts, notKnown }: ImageInventory): string {
  const unpinned = images.filter(({ digest }) => digest === undefined).length;
  return `${count(images.length, 'image')} (${unpinned} without digest), ${count(charts.length, 'chart')}, ${
    notKnown.length === 0 ? 'nothing that is not known' : `${count(notKnown.length, 'thing')} not known`}`;
}

function usersOf(uses: readonly Use[]): string {
  const names = [...new Set(uses.map(({ object, reason }) => (reason === undefined ? objectName(object) : `${objectName(object)} (${reason})`)))];
  return names.length > 1 ? `${names[0]}, ${names.length - 1} more` : names[0];
}

function notKnownText({ what, command, places }: NotKnown): string {
  const [first, ...others] = places.map(placeText);
  return `- ${printable(what)}\n    at ${first}${others.length === 0 ? '' : ` and ${others.length} more`}\n${command === undefined ? '' : `    to find out: ${command}\n`}`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
