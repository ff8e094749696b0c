// What other domains may use of todos.
export { todoRoutes } from './routes.ts'
export { todosAbout } from './store.ts'
export { addTodo, updateTodo } from './save-todo.ts'
export { addContactTodos, countDue, findTodo, listTodos, type TodoRow } from './store.ts'
