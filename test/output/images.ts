import { parse as parseYaml } from 'yaml';
import { Manifest } from '../support/clusters';

/** An image that an object names. */
export interface NamedImage {
  readonly path: string;
  readonly image: string;
}

/** Keys whose text is an image. */
const IMAGE_KEYS: readonly string[] = ['image', 'imageUrl', 'imageURL'];

/** Keys of what stands beside a repository and says which image of it. */
const TAG_KEYS: readonly string[] = ['tag', 'version', 'imageTag'];

/** Names of tags that move to another image. */
const MOVING = /^(latest|main|master|edge|stable|nightly|dev|canary)$/i;

/** Every image that an object names, in whichever field, in values of charts, too. */
export function imagesIn(value: unknown, path = ''): NamedImage[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, below]) => {
    const at = path ? `${path}.${key}` : key;
    if (key === 'valuesTemplate' && typeof below === 'string') return imagesIn(parseYaml(below), at);
    if (typeof below === 'string') {
      const image = imageOf(key, below, value);
      return image === undefined ? [] : [{ path: at, image }];
    }
    return imagesIn(below, at);
  });
}

/** Whether an image cannot become another one: it has a digest, or a tag that is a version. */
export function isExact(image: string): boolean {
  if (/@sha256:[0-9a-f]{64}$/.test(image)) return true;
  const tag = /:([^:/@]+)$/.exec(image)?.[1];
  return tag !== undefined && !MOVING.test(tag) && /\d/.test(tag);
}

function imageOf(key: string, text: string, around: Manifest): string | undefined {
  if (key === 'url' && text.startsWith('docker://')) return text;
  // What a chart's values leave out is the chart's own, whose version is exact.
  if (key === 'tag' || key === 'imageTag') return `${around.repository ?? around.imageRepository ?? key}:${text}`;
  if (!IMAGE_KEYS.includes(key)) return undefined;
  const tag = TAG_KEYS.map((name) => around[name]).find((one) => typeof one === 'string');
  return tag === undefined || /[:@][^/]*$/.test(text) ? text : `${text}:${tag}`;
}
