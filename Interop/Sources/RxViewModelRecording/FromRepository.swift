// The plugin RepositoryCode adds the code of this target. SwiftPM requires a file here.
