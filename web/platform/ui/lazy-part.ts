import { type ComponentType, lazy } from 'react'

// oxlint-disable-next-line typescript/no-explicit-any -- `lazy` asks for a component of any properties
type AnyComponent = ComponentType<any>

/**
 * A component whose module is loaded when it is first rendered. `React.lazy` expects a default export, and this project
 * has none: `name` says which export it is.
 */
export const lazyPart = <Module, Name extends keyof Module>(load: () => Promise<Module>, name: Name) =>
  lazy(() => load().then((module) => ({ default: module[name] as Extract<Module[Name], AnyComponent> })))
