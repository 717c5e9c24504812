import { shortenName } from '../../manifests/values/object-name';

/** The name of an entry, `tenant-acme.acme` for `clusters/tenant-acme/acme`: independent of other folders. */
export function entryName(path: string): string {
  const name = path.replace(/^clusters\//, '').toLowerCase().replace(/[^a-z0-9/-]+/g, '-').replace(/\//g, '.');
  return shortenName(name.replace(/[^a-z0-9.]*\.[^a-z0-9.]*/g, '.').replace(/^[^a-z0-9]+|[^a-z0-9]+$/g, ''));
}
