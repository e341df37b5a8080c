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

!include "WordFunc.nsh"

; The command line: a folder of its own, so that PATH leads to no library of the window.
!define COMMAND_FOLDER "$INSTDIR\resources\bin"
!define /math LONGEST_PATH ${NSIS_MAX_STRLEN} - 300

; Writes the user's PATH without the folder of the command line, and with it at the end for ADD.
; One that is too long for NSIS reads as an error, and is left as it is.
!macro changePath ADD
  Push $R0
  Push $R1
  ClearErrors
  ReadRegStr $R0 HKCU "Environment" "Path"
  ${IfNot} ${Errors}
    StrLen $R1 $R0
    ${If} $R1 < ${LONGEST_PATH}
      ${WordReplace} ";$R0;" ";${COMMAND_FOLDER};" ";" "+" $R0
      StrCpy $R0 $R0 "" 1
      ${If} $R0 != ""
        StrCpy $R0 $R0 -1
      ${EndIf}
      !if ${ADD} == 1
        ${If} $R0 == ""
          StrCpy $R0 "${COMMAND_FOLDER}"
        ${Else}
          StrCpy $R0 "$R0;${COMMAND_FOLDER}"
        ${EndIf}
      !endif
      WriteRegExpandStr HKCU "Environment" "Path" $R0
      SendMessage ${HWND_BROADCAST} ${WM_SETTINGCHANGE} 0 "STR:Environment" /TIMEOUT=5000
    ${EndIf}
  ${EndIf}
  Pop $R1
  Pop $R0
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
  !insertmacro changePath 1
!macroend

!macro customUnInstall
  DeleteRegKey SHELL_CONTEXT "Software\Classes\club-events"
  !insertmacro withdrawFrom ".ics"
  !insertmacro withdrawFrom ".csv"
  !insertmacro withdrawFrom ".json"
  DeleteRegKey SHELL_CONTEXT "Software\Classes\${FILE_CLASS}"
  !insertmacro tellDesktop
  ; An update installs the next version right after this.
  ${IfNot} ${isUpdated}
    !insertmacro changePath 0
    ; The start at login, named after the program's AppUserModelId.
    DeleteRegValue HKCU "Software\Microsoft\Windows\CurrentVersion\Run" "${APP_ID}"
    DeleteRegValue HKCU "Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run" "${APP_ID}"
  ${EndIf}
!macroend
