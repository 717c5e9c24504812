// Custom resources and their controllers.

export { OperatorPodDisruptionBudget } from './controller/disruption-budget';
export { OperatorNetworkPolicy } from './controller/operator-network-policy';
export { Operator } from './controller/operator';
export { ConfigMapVariable, OperatorContainer, OperatorContainerOptions } from './controller/operator-container';
export { OperatorIssuerRef } from './controller/operator-certificate';
export { OperatorHealth, OperatorLeaderElection } from './controller/operator-features';
export { MetricsCertificate, OperatorMetrics, OperatorServiceMonitor } from './controller/operator-metrics';
export { OperatorProps } from './controller/operator-props';
export { EmptyDirOptions, OperatorVolume } from './controller/operator-volume';
export {
  OperatorWebhook, OperatorWebhooks, WebhookCertificate, WebhookFailurePolicy, WebhookMatchPolicy, WebhookOperation,
  WebhookSideEffects,
} from './controller/operator-webhook';
export { WebhookLabelExpression, WebhookLabelOperator, WebhookMatchCondition } from './controller/webhook-filter';
export { Permission, PermissionOptions } from './controller/permission';
export { CrdConversion, CrdServiceWebhookOptions, CrdWebhookOptions } from './custom-resource/crd-conversion';
export { CustomResourceProps } from './custom-resource/custom-resource';
export { CustomResourceScope, CustomResourceType, CustomResourceTypeProps } from './custom-resource/custom-resource-type';
export { CustomResourceVersion, PrinterColumn, PrinterColumnType, ScaleSubresource } from './custom-resource/custom-resource-version';
export { CustomResourceUserRoles } from './custom-resource/user-roles';
export { ResourceType, ResourceTypeOptions } from './resource-type';
export { ListType, MapType } from './schema/list-type';
export {
  ArraySchemaOptions, EmbeddedResourceSchemaOptions, IntOrStringSchemaOptions, MapSchemaOptions, NumberSchemaOptions,
  ObjectSchemaOptions, Schema, SchemaOptions, StringSchemaOptions,
} from './schema/schema';
export { SchemaValidation, ValidationReason } from './schema/schema-validation';
