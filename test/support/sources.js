// Written by transform.js: all modules of the library.
