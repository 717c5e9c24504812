import { Yaml } from 'cdk8s';
import { Construct } from 'constructs';
import { AuditRule, ControlPlaneAudit } from './audit';
import { addConfigMap } from './config-map';
import { KAMAJI_RULES } from './rules';
import { ApiServerFile, checkFileSource, configMapFile, fileDirectory, secretFile } from './volumes';
import { contentHash } from '../../../manifests/values/content-hash';
import { checkDnsSubdomain } from '../../../manifests/values/dns';
import { joinName } from '../../../manifests/values/object-name';
import { Problem, problemIf } from '../../../manifests/values/problem';

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

/** Checks an audit policy as the API server will. */
export function checkAudit(audit: ControlPlaneAudit): Problem[] {
  const { webhook } = audit;
  return [
    ...(audit.rules.length > 0 ? [] : [{
      rule: KAMAJI_RULES.auditRule, property: 'controlPlane.audit.rules', message: 'the policy has no rules, and the API server does not start with it', fix: 'add a rule, or leave audit out',
    }]),
    ...(logs(audit) || webhook ? [] : [{
      rule: KAMAJI_RULES.auditSink, property: 'controlPlane.audit.log', message: 'audit events go nowhere', fix: 'remove log: false, or name a webhook',
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
      KAMAJI_RULES.auditRule, property,
      nonResourceUrls.length > 0 && resources.length + namespaces.length > 0 ? 'the rule is about objects and about other paths' : undefined,
      'make two rules of it',
    ),
    ...nonResourceUrls.flatMap((url, index) => url === '*' || /^\/[^*]*\*?$/.test(url) ? [] : [{
      rule: KAMAJI_RULES.auditRule,
      property: `${property}.nonResourceUrls[${index}]`,
      message: `"${url}" is not a path`,
      accepted: 'paths that start with "/", with one "*" at the end if wanted',
      fix: 'write a path such as "/healthz*"',
    }]),
    ...resources.flatMap(({ group, resources: kinds = [], resourceNames = [] }, index) => [
      ...problemIf(
        KAMAJI_RULES.auditRule, `${property}.resources[${index}].group`,
        group === undefined || group === '' ? undefined : checkDnsSubdomain(group),
        'write the group without its version',
      ),
      ...problemIf(
        KAMAJI_RULES.auditRule, `${property}.resources[${index}].resourceNames`,
        resourceNames.length > 0 && kinds.length === 0 ? 'names of objects are given without their kinds' : undefined,
        'add resources beside resourceNames',
      ),
    ]),
  ];
}
