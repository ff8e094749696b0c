// What other parts may use of todos.
export { todoRoutes } from './routes.ts'
