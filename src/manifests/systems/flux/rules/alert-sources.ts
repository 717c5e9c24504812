import { nameOf, namespaceOf } from '../../../objects/manifest-object';
import { documents, replaced } from '../../../rules/example-text';
import { Lookup } from '../../../rules/manifest-index';
import { ManifestRule } from '../../../rules/manifest-rule';
import { objectsAt, stringAt } from '../../../values/fields';
import { Finding } from '../../../values/finding';
import { BUCKET, GIT_REPOSITORY, HELM_CHART, HELM_RELEASE, HELM_REPOSITORY, KUSTOMIZATION, OCI_REPOSITORY } from '../deliveries';

export const ALERT = 'notification.toolkit.fluxcd.io/Alert';
export const RECEIVER = 'notification.toolkit.fluxcd.io/Receiver';

/** Kinds that are told of, by their short names. */
const SOURCES: ReadonlyMap<string, string> = new Map([
  BUCKET, GIT_REPOSITORY, HELM_CHART, HELM_RELEASE, HELM_REPOSITORY, KUSTOMIZATION, OCI_REPOSITORY,
  ...['ImagePolicy', 'ImageRepository', 'ImageUpdateAutomation'].map((kind) => `image.toolkit.fluxcd.io/${kind}`),
].map((kind) => [kind.slice(kind.indexOf('/') + 1), kind]));

/** Kinds with a list of objects, and the list. */
const LISTS: Readonly<Record<string, string>> = { Alert: 'eventSources', Receiver: 'resources' };

const BY_PLACE = new Lookup(() => [...SOURCES.values()], (object) => [String(object.kind), namespaceOf(object)]);
const BY_NAME = new Lookup(() => [...SOURCES.values()], (object) => [String(object.kind), nameOf(object)]);

const TEXT = documents(`apiVersion: notification.toolkit.fluxcd.io/v1beta3
kind: Alert
metadata: {name: releases, namespace: flux-system}
spec:
  providerRef: {name: chat}
  eventSources:
    - {kind: Kustomization, name: '*', namespace: shop}
`, `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: web, namespace: shop}
spec: {interval: 10m, path: ./web, prune: true, sourceRef: {kind: GitRepository, name: fleet, namespace: flux-system}}
`);

const sources: ManifestRule = {
  id: 'TC-TRAP-FLUX-ALERT-SOURCE',
  title: 'Objects that an Alert or a Receiver of Flux names must be in its namespace, or in the one that is named in full: it is told of no others.',
  source: 'fluxcd/notification-controller internal/server/event_handlers.go (eventMatchesAlertSource), docs/spec/v1beta3/alerts.md, docs/spec/v1/receivers.md, v1.9.0; issue 1304',
  kinds: [ALERT, RECEIVER],
  trap: true,
  elsewhere: true,
  example: replaced(TEXT, ', namespace: shop}', '}'),
  check: (object, index) => {
    const list = LISTS[String(object.kind)];
    const entries = objectsAt(object, 'spec', list);
    // An alert about all objects of a namespace names kinds that it may have later, too.
    const isOfAny = (namespace: string) => entries.some(([source]) => source.name === '*' && (source.namespace ?? namespaceOf(object)) === namespace
      && BY_PLACE.find(index, String(source.kind), namespace).length > 0);
    return entries.flatMap(([source, at]): Finding[] => {
      const [kind, name] = [stringAt(source, 'kind') ?? '', stringAt(source, 'name')];
      const path = ['spec', list, at, 'namespace'];
      const given = stringAt(source, 'namespace');
      if (given === '*') return [{ path, message: 'namespaces are compared as they are: none is called "*"', fix: 'write an entry for each namespace' }];
      const namespace = given ?? namespaceOf(object);
      const wanted = SOURCES.get(kind);
      if (wanted === undefined || name === undefined || namespace === undefined) return [];
      const others = name === '*' ? index.all(wanted) : BY_NAME.find(index, kind, name);
      const places = [...new Set(others.map((one) => namespaceOf(one)))];
      const isThere = name === '*' ? isOfAny(namespace) : places.includes(namespace);
      return isThere || places.length === 0 || places.includes(undefined) ? [] : [{
        path,
        message: `no ${kind}${name === '*' ? '' : ` "${name}"`} is in the namespace "${namespace}"; those that were read are in ${places.map((place) => `"${place}"`).join(', ')}`,
        fix: places.length === 1 ? `write namespace: ${places[0]}` : 'write an entry for each of these namespaces',
      }];
    });
  },
};

/** Rules over what alerts and receivers are about. */
export const ALERT_SOURCES: readonly ManifestRule[] = [sources];
