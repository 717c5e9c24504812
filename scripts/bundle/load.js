'use strict';

/** What modules export, by their names. */
const modules = new Map();

/**
 * Loads a module of this library, as `require` would: once, and known to others before it has run, since modules may require each other.
 *
 * @param {string} chunk the file that holds it
 * @param {string} name path of the module in the repository, without extension
 */
module.exports = function load(chunk, name) {
  const known = modules.get(name);
  if (known !== undefined) return known;
  const exports = {};
  modules.set(name, exports);
  try {
    require(`./${chunk}.js`)[name](exports, load);
  } catch (error) {
    modules.delete(name);
    throw error;
  }
  return exports;
};
