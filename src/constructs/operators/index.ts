// Custom resources and their controllers.

export { OperatorNetworkPolicy } from './controller/network-policy';
export { Operator } from './controller/operator';
export {
  ConfigMapVariable, EmptyDirOptions, OperatorContainerOptions, OperatorVolume,
} from './controller/operator-container';
export { MetricsCertificate, OperatorIssuerRef, WebhookCertificate } from './controller/operator-certificate';
export { OperatorHealth, OperatorLeaderElection, OperatorProps } from './controller/operator-props';
export { OperatorMetrics, OperatorServiceMonitor } from './controller/operator-metrics';
export {
  OperatorWebhook, OperatorWebhooks, WebhookFailurePolicy, WebhookLabelExpression, WebhookLabelOperator, WebhookMatchCondition,
  WebhookMatchPolicy, WebhookOperation, WebhookSideEffects,
} from './controller/operator-webhook-props';
export { Permission, PermissionOptions } from './controller/permission';
export { CrdConversion, CrdServiceWebhookOptions, CrdWebhookOptions } from './custom-resource/crd-conversion';
export { CustomResourceProps } from './custom-resource/custom-resource';
export { CustomResourceType } from './custom-resource/custom-resource-type';
export { CustomResourceScope, CustomResourceTypeProps } from './custom-resource/custom-resource-type-props';
export { CustomResourceVersion, PrinterColumn, PrinterColumnType, ScaleSubresource } from './custom-resource/custom-resource-version';
export { CustomResourceUserRoles } from './custom-resource/user-roles';
export { ResourceType, ResourceTypeOptions } from './resource-type';
export { ListType, MapType } from './schema/list-type';
export { EmbeddedResourceSchemaOptions, ObjectSchemaOptions, Schema } from './schema/schema';
export {
  ArraySchemaOptions, IntOrStringSchemaOptions, MapSchemaOptions, NumberSchemaOptions, SchemaOptions, StringSchemaOptions,
} from './schema/schema-options';
export { SchemaValidation, ValidationReason } from './schema/schema-validation';
