; On Windows the program is offered for these files and takes them from no other: the file
; associations of electron-builder would make it the one that a double click on a table opens.

!define FILE_CLASS "ClubEvents.File"

!macro offerFor EXTENSION
  WriteRegNone SHELL_CONTEXT "Software\Classes\${EXTENSION}\OpenWithProgids" "${FILE_CLASS}"
!macroend

!macro withdrawFrom EXTENSION
  DeleteRegValue SHELL_CONTEXT "Software\Classes\${EXTENSION}\OpenWithProgids" "${FILE_CLASS}"
!macroend

; So that the desktop sees the change before the next sign-in (SHCNE_ASSOCCHANGED).
!macro tellDesktop
  System::Call "shell32::SHChangeNotify(i 0x08000000, i 0, i 0, i 0)"
!macroend

; Links that begin with club-events: open the program, which checks them.
!macro registerScheme
  WriteRegStr SHELL_CONTEXT "Software\Classes\club-events" "" "URL:Club Events"
  WriteRegStr SHELL_CONTEXT "Software\Classes\club-events" "URL Protocol" ""
  WriteRegStr SHELL_CONTEXT "Software\Classes\club-events\shell\open\command" "" '"$appExe" "%1"'
!macroend

!macro customInstall
  !insertmacro registerScheme
  WriteRegStr SHELL_CONTEXT "Software\Classes\${FILE_CLASS}" "" "Events"
  WriteRegStr SHELL_CONTEXT "Software\Classes\${FILE_CLASS}\DefaultIcon" "" "$appExe,0"
  WriteRegStr SHELL_CONTEXT "Software\Classes\${FILE_CLASS}\shell\open\command" "" '"$appExe" "%1"'
  !insertmacro offerFor ".ics"
  !insertmacro offerFor ".csv"
  !insertmacro offerFor ".json"
  !insertmacro tellDesktop
!macroend

!macro customUnInstall
  DeleteRegKey SHELL_CONTEXT "Software\Classes\club-events"
  !insertmacro withdrawFrom ".ics"
  !insertmacro withdrawFrom ".csv"
  !insertmacro withdrawFrom ".json"
  DeleteRegKey SHELL_CONTEXT "Software\Classes\${FILE_CLASS}"
  !insertmacro tellDesktop
!macroend
