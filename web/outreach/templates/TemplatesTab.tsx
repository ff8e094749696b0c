import { Route, Routes } from 'react-router'
import { EditTemplate, NewTemplate } from './OpenTemplate.tsx'
import { TemplateList } from './TemplateList.tsx'

/** The library of mail templates, and the editor of each. */
export function TemplatesTab() {
  return (
    <Routes>
      <Route index element={<TemplateList />} />
      <Route path="new" element={<NewTemplate />} />
      <Route path=":id" element={<EditTemplate />} />
    </Routes>
  )
}
