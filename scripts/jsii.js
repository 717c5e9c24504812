/**
 * Runs jsii, which knows the types of a submodule by the symbols that the submodule exports: of `export { … } from` these are aliases, and
 * every use of such a type counts as "un-exported" (https://github.com/aws/jsii/issues/2102). Here it gets the types behind the aliases.
 *
 * `export * from` needs no help, but declares the functions beside a type, too. `stripInternal` hides them, and the base classes that jsii
 * erases, which declarations extend.
 */

// Node.js 20 still works, so that its age is no news at each build (aws/jsii packages/@jsii/check-node).
process.env.JSII_SILENCE_WARNING_END_OF_LIFE_NODE_VERSION ??= '20';
process.env.JSII_SILENCE_WARNING_DEPRECATED_NODE_VERSION ??= 'true';

const path = require('node:path');

const jsii = path.dirname(require.resolve('jsii/package.json'));
const { Assembler } = require(path.join(jsii, 'lib', 'assembler.js'));
const ts = require('typescript');
const addToSubmodule = Assembler.prototype._addToSubmodule;

Assembler.prototype._addToSubmodule = function (...args) {
  const checker = this._typeChecker;
  const behind = (symbol) => (symbol.declarations?.some(ts.isExportSpecifier) ? checker.getAliasedSymbol(symbol) : symbol);
  this._typeChecker = { ...checker, getExportsOfModule: (module) => checker.getExportsOfModule(module).map(behind) };
  addToSubmodule.apply(this, args);
  this._typeChecker = checker;
};

require(path.join(jsii, 'lib', 'main.js'));
