// The plugin RepositoryCode adds the code of this target. SwiftPM asks for one file here.
