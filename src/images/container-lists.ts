import { isFields } from './manifest-object';

/** The images in a list of containers. */
export function imagesInLists(list: unknown): string[] {
  return Array.isArray(list) ? list.flatMap((item) => (isFields(item) && typeof item.image === 'string' ? [item.image] : [])) : [];
}

/** A list of containers with other images; the same list where none is another one. */
export function withImages(list: unknown, resolve: (image: string) => string): unknown {
  if (!Array.isArray(list)) return list;
  const changed = list.map((item: unknown) => {
    if (!isFields(item) || typeof item.image !== 'string') return item;
    const image = resolve(item.image);
    return image === item.image ? item : { ...item, image };
  });
  return changed.some((item, index) => item !== list[index]) ? changed : list;
}
