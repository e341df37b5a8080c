; Offers the program for these files without replacing another one. With the file associations of
; electron-builder, a double click on a table would open this program.

!define FILE_CLASS "ClubEvents.File"

!macro offerFor EXTENSION
  WriteRegNone SHELL_CONTEXT "Software\Classes\${EXTENSION}\OpenWithProgids" "${FILE_CLASS}"
!macroend

!macro withdrawFrom EXTENSION
  DeleteRegValue SHELL_CONTEXT "Software\Classes\${EXTENSION}\OpenWithProgids" "${FILE_CLASS}"
!macroend

; Makes the desktop see the change before the next sign-in (SHCNE_ASSOCCHANGED).
!macro notifyDesktop
  System::Call "shell32::SHChangeNotify(i 0x08000000, i 0, i 0, i 0)"
!macroend

; Lets links that begin with club-events: open the program, which checks them.
!macro registerScheme
  WriteRegStr SHELL_CONTEXT "Software\Classes\club-events" "" "URL:Club Events"
  WriteRegStr SHELL_CONTEXT "Software\Classes\club-events" "URL Protocol" ""
  WriteRegStr SHELL_CONTEXT "Software\Classes\club-events\shell\open\command" "" '"$appExe" "%1"'
!macroend

!include "WordFunc.nsh"

; The command line has a separate folder, so that PATH contains no library of the window.
!define COMMAND_FOLDER "$INSTDIR\resources\bin"
!define /math LONGEST_PATH ${NSIS_MAX_STRLEN} - 300

; For RegGetValue: HKEY_CURRENT_USER as a signed number, RRF_RT_ANY with RRF_NOEXPAND, and results:
; ERROR_FILE_NOT_FOUND, REG_SZ and REG_EXPAND_SZ.
!define OWN_SETTINGS -2147483647
!define AS_STORED 0x1000FFFF
!define VALUE_MISSING 2
!define PLAIN_TEXT 1
!define TEXT_WITH_VARIABLES 2

; Removes the folder of the command line from the user's PATH; appends it if ADD is 1. The value keeps
; its type. ReadRegStr fails for a PATH that is too long for NSIS, which stays unchanged, and for a
; missing one, which RegGetValue tells apart.
!macro changePath ADD
  Push $R0
  Push $R1
  Push $R2
  System::Call "advapi32::RegGetValue(p ${OWN_SETTINGS}, t 'Environment', t 'Path', i ${AS_STORED}, *i .R2, p 0, p 0) i .R1"
  ClearErrors
  ReadRegStr $R0 HKCU "Environment" "Path"
  ${If} $R1 == ${VALUE_MISSING}
    ClearErrors
    StrCpy $R2 ${TEXT_WITH_VARIABLES}
  ${EndIf}
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
      ${If} $R0 == ""
        DeleteRegValue HKCU "Environment" "Path"
      ${ElseIf} $R2 == ${PLAIN_TEXT}
        WriteRegStr HKCU "Environment" "Path" $R0
      ${Else}
        WriteRegExpandStr HKCU "Environment" "Path" $R0
      ${EndIf}
      SendMessage ${HWND_BROADCAST} ${WM_SETTINGCHANGE} 0 "STR:Environment" /TIMEOUT=5000
    ${EndIf}
  ${EndIf}
  Pop $R2
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
  !insertmacro notifyDesktop
  !insertmacro changePath 1
!macroend

!macro customUnInstall
  DeleteRegKey SHELL_CONTEXT "Software\Classes\club-events"
  !insertmacro withdrawFrom ".ics"
  !insertmacro withdrawFrom ".csv"
  !insertmacro withdrawFrom ".json"
  DeleteRegKey SHELL_CONTEXT "Software\Classes\${FILE_CLASS}"
  !insertmacro notifyDesktop
  ; An update installs the next version right after this.
  ${IfNot} ${isUpdated}
    !insertmacro changePath 0
    ; Removes the start at login, which is named after the AppUserModelId of the program.
    DeleteRegValue HKCU "Software\Microsoft\Windows\CurrentVersion\Run" "${APP_ID}"
    DeleteRegValue HKCU "Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run" "${APP_ID}"
  ${EndIf}
!macroend
