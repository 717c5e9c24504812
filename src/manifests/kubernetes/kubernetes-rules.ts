import { ADMISSION_POLICIES } from './admission-policies';
import { asRead } from './as-read';
import { AUTOSCALERS } from './autoscalers';
import { CONTAINER_VALUES } from './container-values';
import { CONTAINERS } from './containers';
import { CRON_SCHEDULES } from './cron-schedule';
import { DEFINITIONS } from './definitions';
import { INGRESSES } from './ingresses';
import { LIMITS } from './limits';
import { NETWORK_POLICIES } from './network-policies';
import { PERMISSIONS } from './permissions';
import { POD_SETTINGS } from './pod-settings';
import { SCHEDULING } from './scheduling';
import { SERVICES } from './services';
import { SMALL_KINDS } from './small-kinds';
import { STORAGE_OBJECTS } from './storage';
import { STORED_DATA } from './stored-data';
import { VOLUMES } from './volumes';
import { WEBHOOKS } from './webhooks';
import { WORKLOADS } from './workloads';
import { ManifestRule } from '../rules/manifest-rule';

/** What an API server refuses in Kubernetes' own kinds, beside what their fields tell. */
export const KUBERNETES_RULES: readonly ManifestRule[] = [
  ...CONTAINERS, ...CONTAINER_VALUES, ...VOLUMES, ...POD_SETTINGS, ...SCHEDULING, ...WORKLOADS, ...CRON_SCHEDULES, ...SERVICES, ...STORED_DATA,
  ...PERMISSIONS, ...NETWORK_POLICIES, ...INGRESSES, ...LIMITS, ...STORAGE_OBJECTS, ...AUTOSCALERS, ...DEFINITIONS, ...WEBHOOKS,
  ...ADMISSION_POLICIES, ...SMALL_KINDS,
].map((rule) => ({ ...rule, check: (object, index) => rule.check(asRead(object), index) }));
