import { Yaml } from 'cdk8s';
import { Construct } from 'constructs';
import { addConfigMap, ApiServerFile, checkFileSource, configMapFile, fileDirectory, secretFile } from './volumes';
import { contentHash } from '../../../manifests/values/content-hash';
import { checkDnsSubdomain } from '../../../manifests/values/dns';
import { joinName } from '../../../manifests/values/object-name';
import { Problem, problemIf, Rule } from '../../../manifests/values/problem';

/** Part of a request that is recorded. */
export enum AuditLevel {
  /** Nothing. */
  NONE = 'None',

  /** Who, when, what and from where, without bodies. */
  METADATA = 'Metadata',

  /** The request's body as well. With Secrets that means their content. */
  REQUEST = 'Request',

  /** The bodies of request and response as well. With Secrets that means their content. */
  REQUEST_RESPONSE = 'RequestResponse',
}

/** A moment of a request's life at which an event can be recorded. */
export enum AuditStage {
  /** The request has arrived. */
  REQUEST_RECEIVED = 'RequestReceived',

  /** The response has begun, for requests that last, such as watches. */
  RESPONSE_STARTED = 'ResponseStarted',

  /** The response is complete. */
  RESPONSE_COMPLETE = 'ResponseComplete',

  /** The API server has met an internal error. */
  PANIC = 'Panic',
}

/** Kinds of object that an audit rule is about. */
export interface AuditResources {
  /**
   * API group without version, e.g. `apps`.
   *
   * @default - the core group
   */
  readonly group?: string;

  /**
   * Plurals of the kinds, e.g. `secrets`, with a subresource as in `pods/log`; `pods/*` means all subresources.
   *
   * @default - all kinds of the group
   */
  readonly resources?: string[];

  /**
   * Names of the objects, only together with `resources` (`TC-KAMAJI-AUDIT-RULE`).
   *
   * @default - all objects
   */
  readonly resourceNames?: string[];
}

/** Recording of the requests that match. The first rule that matches decides. */
export interface AuditRule {
  /** Part of the request that is recorded. */
  readonly level: AuditLevel;

  /**
   * Users who make the request.
   *
   * @default - all
   */
  readonly users?: string[];

  /**
   * Groups of which the user is in one.
   *
   * @default - all
   */
  readonly userGroups?: string[];

  /**
   * Verbs of the request, e.g. `get`, `create`.
   *
   * @default - all
   */
  readonly verbs?: string[];

  /**
   * Kinds of object that the request is about.
   *
   * @default - all
   */
  readonly resources?: AuditResources[];

  /**
   * Namespaces that the request is about; an empty text stands for objects without a namespace.
   *
   * @default - all
   */
  readonly namespaces?: string[];

  /**
   * Paths that are no objects, e.g. `/healthz*`; not together with `resources` and `namespaces` (`TC-KAMAJI-AUDIT-RULE`).
   *
   * @default - none
   */
  readonly nonResourceUrls?: string[];

  /**
   * Stages at which nothing is recorded, beside those of the whole policy.
   *
   * @default - none
   */
  readonly omitStages?: AuditStage[];

  /**
   * True if `managedFields` are left out of recorded bodies.
   *
   * @default - what the policy says
   */
  readonly omitManagedFields?: boolean;
}

/** A kubeconfig that tells the API server where to send audit events. */
export interface AuditWebhook {
  /** Name of the Secret in the tenant cluster's namespace (`TC-KAMAJI-FILE-SOURCE`). */
  readonly secretName: string;

  /** Key of the Secret that holds the kubeconfig (`TC-KAMAJI-FILE-SOURCE`). */
  readonly key: string;
}

/** Audit log of the API server. */
export interface ControlPlaneAudit {
  /** The rules; the first one that matches a request decides (`TC-KAMAJI-AUDIT-RULE`). */
  readonly rules: AuditRule[];

  /**
   * Stages at which nothing is recorded.
   *
   * @default - none
   */
  readonly omitStages?: AuditStage[];

  /**
   * True if `managedFields` are left out of recorded bodies.
   *
   * @default false
   */
  readonly omitManagedFields?: boolean;

  /**
   * True if events go to the standard output of the API server, from where the management cluster's log collection takes them
   * (`TC-KAMAJI-AUDIT-SINK` if there is no webhook either).
   *
   * @default true, false where there is a webhook
   */
  readonly log?: boolean;

  /**
   * Receiver of the events.
   *
   * @default - nowhere
   */
  readonly webhook?: AuditWebhook;
}

const POLICY_VOLUME = 'audit-policy';
const POLICY_KEY = 'policy.yaml';
const WEBHOOK_VOLUME = 'audit-webhook';

/** Puts the audit policy, and the webhook's kubeconfig if there is one, beside the API server. */
export function auditFiles(scope: Construct, clusterName: string, audit: ControlPlaneAudit): ApiServerFile[] {
  const policy = Yaml.stringify(policyFields(audit));
  const configMap = addConfigMap(scope, 'AuditPolicy', {
    // The API server reads the policy once: another policy is another ConfigMap, and the pods are rolled.
    name: joinName(clusterName, POLICY_VOLUME, contentHash(policy)),
    data: { [POLICY_KEY]: policy },
    immutable: true,
  });
  const { webhook } = audit;
  return [
    {
      volume: configMapFile(POLICY_VOLUME, configMap, POLICY_KEY),
      mountPath: fileDirectory(POLICY_VOLUME),
      args: [
        { name: 'audit-policy-file', value: `${fileDirectory(POLICY_VOLUME)}/${POLICY_KEY}` },
        ...(logs(audit) ? [{ name: 'audit-log-path', value: '-' }] : []),
      ],
    },
    ...(webhook ? [{
      volume: secretFile(WEBHOOK_VOLUME, webhook.secretName, webhook.key),
      mountPath: fileDirectory(WEBHOOK_VOLUME),
      args: [{ name: 'audit-webhook-config-file', value: `${fileDirectory(WEBHOOK_VOLUME)}/${webhook.key}` }],
    }] : []),
  ];
}

const AUDIT_RULE_RULE: Rule = {
  id: 'TC-KAMAJI-AUDIT-RULE',
  title: 'An audit policy must have rules that the API server accepts.',
  source: 'kubernetes/kubernetes staging/src/k8s.io/apiserver/pkg/apis/audit/validation/validation.go',
};

const AUDIT_SINK_RULE: Rule = {
  id: 'TC-KAMAJI-AUDIT-SINK',
  title: 'Audit events must go to the log, to a webhook, or to both.',
  source: 'kubernetes.io/docs/tasks/debug/debug-cluster/audit',
};

/** Checks an audit policy as the API server will. */
export function checkAudit(audit: ControlPlaneAudit): Problem[] {
  const { webhook } = audit;
  return [
    ...(audit.rules.length > 0 ? [] : [{
      rule: AUDIT_RULE_RULE, property: 'controlPlane.audit.rules', message: 'the policy has no rules, and the API server does not start with it', fix: 'add a rule, or leave audit out',
    }]),
    ...(logs(audit) || webhook ? [] : [{
      rule: AUDIT_SINK_RULE, property: 'controlPlane.audit.log', message: 'audit events go nowhere', fix: 'remove log: false, or name a webhook',
    }]),
    ...(webhook ? checkFileSource('controlPlane.audit.webhook', webhook.secretName, webhook.key, 'secretName') : []),
    ...audit.rules.flatMap((rule, index) => checkRule(`controlPlane.audit.rules[${index}]`, rule)),
  ];
}

function logs(audit: ControlPlaneAudit): boolean {
  return audit.log ?? audit.webhook === undefined;
}

function policyFields(audit: ControlPlaneAudit): object {
  return {
    apiVersion: 'audit.k8s.io/v1',
    kind: 'Policy',
    ...present({ omitStages: audit.omitStages, omitManagedFields: audit.omitManagedFields }),
    rules: audit.rules.map(({ nonResourceUrls, resources, ...rule }) => present({
      ...rule,
      resources: resources?.map(({ group, ...kinds }) => ({ group: group ?? '', ...present(kinds) })),
      nonResourceURLs: nonResourceUrls,
    })),
  };
}

function present(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function checkRule(property: string, rule: AuditRule): Problem[] {
  const { resources = [], namespaces = [], nonResourceUrls = [] } = rule;
  return [
    ...problemIf(
      AUDIT_RULE_RULE, property,
      nonResourceUrls.length > 0 && resources.length + namespaces.length > 0 ? 'the rule is about objects and about other paths' : undefined,
      'make two rules of it',
    ),
    ...nonResourceUrls.flatMap((url, index) => url === '*' || /^\/[^*]*\*?$/.test(url) ? [] : [{
      rule: AUDIT_RULE_RULE,
      property: `${property}.nonResourceUrls[${index}]`,
      message: `"${url}" is not a path`,
      accepted: 'paths that start with "/", with one "*" at the end if wanted',
      fix: 'write a path such as "/healthz*"',
    }]),
    ...resources.flatMap(({ group, resources: kinds = [], resourceNames = [] }, index) => [
      ...problemIf(
        AUDIT_RULE_RULE, `${property}.resources[${index}].group`,
        group === undefined || group === '' ? undefined : checkDnsSubdomain(group),
        'write the group without its version',
      ),
      ...problemIf(
        AUDIT_RULE_RULE, `${property}.resources[${index}].resourceNames`,
        resourceNames.length > 0 && kinds.length === 0 ? 'names of objects are given without their kinds' : undefined,
        'add resources beside resourceNames',
      ),
    ]),
  ];
}
