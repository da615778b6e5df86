import { createRoot } from 'react-dom/client'
import { App } from '#back-office/app.tsx'
import './styles/app.css'

const root = document.getElementById('root')
if (root === null) throw new Error('the page has no #root element')
createRoot(root).render(<App />)
