// What other domains may use of todos.
export { todoRoutes } from './routes.ts'
export { todosAbout } from './about-store.ts'
export { countDue } from './store.ts'
