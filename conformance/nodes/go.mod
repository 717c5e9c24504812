// Marks the root of the module. What it is built with is in the files of the minors, such as 1.36.mod.
module conformance/nodes

go 1.26.0
