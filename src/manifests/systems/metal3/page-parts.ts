import { ManifestObject } from '../../objects/manifest-object';
import { instance, PageCall, PageFields } from '../../rules/page-expression';
import { PageParts } from '../../rules/page-parts';
import { fieldAt, listAt } from '../../values/fields';

/** Reads a cluster. */
function infrastructure(object: ManifestObject): PageCall {
  const failureDomains = listAt(object, 'spec', 'failureDomains');
  return instance('metal3.Metal3Infrastructure', {
    cloudProviderEnabled: fieldAt(object, 'spec', 'cloudProviderEnabled') === true ? true : undefined,
    failureDomains: failureDomains.length === 0 ? undefined : failureDomains as readonly PageFields[],
  });
}

/** The classes of pages that make Metal3's objects. Machines are manifests: templates of their data are objects of their own. */
export const PAGE_PARTS: PageParts = { infrastructures: { 'infrastructure.cluster.x-k8s.io/Metal3Cluster': infrastructure } };
