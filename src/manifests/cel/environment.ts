import type { Environment } from '@marcbachmann/cel-js' with { 'resolution-mode': 'import' };
import { celLibrary } from './library';
import { registerNetwork } from './network';
import { registerQuantity } from './quantity';
import { registerText } from './text';

/**
 * CEL with what API servers add to it, as far as the library or this folder has it: an expression that needs more is not judged.
 *
 * Of the 790 expressions of Kubernetes' own test of rules (apiextensions-apiserver v0.37.2, pkg/apiserver/schema/cel/validation_test.go,
 * TestValidationExpressions), 650 get its verdict and 127 are not judged: two variables of a loop, optional values in comparisons and literals,
 * named formats, time zones. Servers refuse definitions with 10 of the others for the types of their operands, which the library does not compare,
 * and 3 have numbers that JavaScript cannot hold. No rule of the 207 definitions that conformance knows is left out.
 *
 * Source: kubernetes/kubernetes staging/src/k8s.io/apiserver/pkg/cel/environment/base.go, v1.37.2.
 */
export function celEnvironment(): Environment {
  const env = new (celLibrary().Environment)({ enableOptionalTypes: true, homogeneousAggregateLiterals: false });
  registerText(env);
  registerNetwork(env);
  registerQuantity(env);
  return env;
}
